// Lists: j and k move between rows, "load more" keeps the place, typing goes on while a list is replaced.
const typing = (element) =>
  element?.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
const rows = () => [...document.querySelectorAll("[data-list] [data-row]")].filter((row) => row.checkVisibility());

function handle(row) {
  return row.querySelector(".row-link") ?? row.querySelector("summary, a, button, input:not([type=hidden])");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (typing(event.target) || document.querySelector("dialog[open]") || localStorage.getItem("keys") === "off") return;
  const step = { j: 1, k: -1 }[event.key];
  const all = step ? rows() : [];
  if (!all.length) return;
  event.preventDefault();
  const at = all.indexOf(document.activeElement?.closest("[data-row]"));
  const next = at < 0 ? all[step > 0 ? 0 : all.length - 1] : all[at + step];
  if (next) {
    handle(next)?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  } else if (step > 0) {
    document.querySelector("[data-list] [data-more]")?.focus();
  }
});

// After "load more", focus goes on with the first row that came, or where there is more to look through.
// What was typed while a list was on its way stays, and is asked for in its turn.
let last = null;
let kept = null;

function typedIn(target, config) {
  const field = document.activeElement;
  if (!field?.id || !field.closest("[data-filters]") || !target?.contains(field)) return null;
  return { id: field.id, value: field.value, caret: field.selectionStart, sent: config.formData.get(field.name) };
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  last = requestConfig.elt.matches("[data-more]")
    ? { list: target.parentElement, row: target.previousElementSibling }
    : null;
  kept = typedIn(target, requestConfig);
});

document.addEventListener("htmx:afterSwap", () => {
  const field = kept && document.getElementById(kept.id);
  if (!field) return;
  field.value = kept.value;
  if (kept.caret != null) field.setSelectionRange(kept.caret, kept.caret);
});

document.addEventListener("htmx:afterSettle", () => {
  const field = kept && document.getElementById(kept.id);
  if (field && field.value !== kept.sent) field.dispatchEvent(new Event("input", { bubbles: true }));
  const first = last?.row ? last.row.nextElementSibling : last?.list.firstElementChild;
  const next = first?.matches("[data-row]") ? handle(first) : first?.querySelector("[data-more]");
  next?.focus({ preventScroll: true });
  last = kept = null;
});

// On a narrow page the tab one is on may lie beyond the edge.
function showTab() {
  for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
    const bar = tab.parentElement;
    const end = tab.offsetLeft + tab.offsetWidth - bar.offsetLeft;
    if (end > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = end - bar.clientWidth + 48;
  }
}
showTab();
document.addEventListener("htmx:afterSettle", showTab);
