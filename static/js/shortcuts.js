// Keyboard shortcuts: ? lists them, g and a letter opens a page, and a key in data-key presses its element.
import { areShortcutsOff, isShortcut, setShortcuts } from "./keyboard.js";
import { keepKeysForNextPage } from "./replay-keys.js";

const dialog = document.getElementById("keys");
let goPressedAt = 0;

const isVisible = (element) => element.checkVisibility?.() ?? true;

function buildLine(label, keys) {
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

function fillSection(name, lines) {
  const section = dialog.querySelector(`[${name}]`);
  section.hidden = !lines.length;
  section.querySelector("dl").replaceChildren(...lines);
}

function showDialog() {
  if (!dialog || document.querySelector("dialog[open]")) return;
  const pageKeys = [...document.querySelectorAll("[data-key]")].filter(isVisible);
  fillSection(
    "data-keys-page",
    pageKeys.map((element) => buildLine(element.dataset.keyLabel ?? element.textContent.trim(), [element.dataset.key])),
  );
  fillSection(
    "data-keys-go",
    [...document.querySelectorAll("[data-go-key]")].map((link) =>
      buildLine(link.textContent.trim(), ["g", link.dataset.goKey]),
    ),
  );
  for (const list of dialog.querySelectorAll("[data-keys-from]")) {
    const lines = document.querySelector(list.dataset.keysFrom);
    if (lines) list.replaceChildren(lines.content.cloneNode(true));
  }
  for (const part of dialog.querySelectorAll("[data-keys-when]"))
    part.hidden = !document.querySelector(part.dataset.keysWhen);
  dialog.querySelector("[data-keys-switch]").checked = !areShortcutsOff();
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
  if (!isShortcut(event)) return;
  if (Date.now() - goPressedAt < 1200) {
    goPressedAt = 0;
    const link = document.querySelector(`[data-go-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (link) {
      event.preventDefault();
      // A click that is prevented, such as by unsaved changes, stays on this page.
      if (link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))) keepKeysForNextPage();
    }
    return;
  }
  if (event.key === "?") {
    event.preventDefault();
    showDialog();
  } else if (event.key === "g") {
    goPressedAt = Date.now();
  } else {
    const element = [...document.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`)].find(isVisible);
    if (!element) return;
    event.preventDefault();
    press(element);
  }
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-keys]")) return;
  document.querySelector(":popover-open")?.hidePopover();
  showDialog();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-keys-switch]")) setShortcuts(event.target.checked);
});
