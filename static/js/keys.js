// One key, one thing: ? shows the keys, g and a letter goes to a place, data-key presses what carries it.
const dialog = document.getElementById("keys");
let going = 0;

const off = () => localStorage.getItem("keys") === "off";
const seen = (element) => element.checkVisibility?.() ?? true;
const typing = (element) =>
  element.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");

function line(label, keys) {
  const row = document.createElement("div");
  const term = document.createElement("dt");
  const value = document.createElement("dd");
  term.textContent = label;
  for (const key of keys) {
    const cap = document.createElement("kbd");
    cap.textContent = key;
    value.append(cap, " ");
  }
  row.append(term, value);
  return row;
}

function fill(name, lines) {
  const section = dialog.querySelector(`[${name}]`);
  section.hidden = !lines.length;
  section.querySelector("dl").replaceChildren(...lines);
}

function show() {
  if (!dialog || document.querySelector("dialog[open]")) return;
  const own = [...document.querySelectorAll("[data-key]")].filter(seen);
  fill(
    "data-keys-page",
    own.map((element) => line(element.dataset.keyLabel ?? element.textContent.trim(), [element.dataset.key])),
  );
  fill(
    "data-keys-go",
    [...document.querySelectorAll("[data-go]")].map((link) => line(link.textContent.trim(), ["g", link.dataset.go])),
  );
  for (const part of dialog.querySelectorAll("[data-keys-when]"))
    part.hidden = !document.querySelector(part.dataset.keysWhen);
  dialog.querySelector("[data-keys-switch]").checked = !off();
  dialog.showModal();
}

function press(element) {
  if (element.matches("input, select, textarea")) {
    element.focus();
    element.select?.();
  } else {
    element.click();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (typing(event.target) || document.querySelector("dialog[open]") || off()) return;
  if (Date.now() - going < 1200) {
    going = 0;
    const place = document.querySelector(`[data-go="${CSS.escape(event.key.toLowerCase())}"]`);
    if (place) {
      event.preventDefault();
      place.click();
    }
    return;
  }
  if (event.key === "?") {
    event.preventDefault();
    show();
  } else if (event.key === "g") {
    going = Date.now();
  } else {
    const element = [...document.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`)].find(seen);
    if (!element) return;
    event.preventDefault();
    press(element);
  }
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-keys]")) return;
  document.querySelector(":popover-open")?.hidePopover();
  show();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-keys-switch]")) localStorage.setItem("keys", event.target.checked ? "on" : "off");
});
