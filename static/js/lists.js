// Lists: j and k move between rows, "load more" moves the focus to the first new row, and typing continues while a
// list is replaced.
import { dispatchInput, listRows } from "./dom.js";
import { isShortcut } from "./keyboard.js";

const visibleRows = () => listRows().filter((row) => row.checkVisibility());

function focusTarget(row) {
  return row.querySelector(".row-link") ?? row.querySelector("summary, a, button, input:not([type=hidden])");
}

document.addEventListener("keydown", (event) => {
  if (!isShortcut(event)) return;
  const step = { j: 1, k: -1 }[event.key];
  const all = step ? visibleRows() : [];
  if (!all.length) return;
  event.preventDefault();
  const index = all.indexOf(document.activeElement?.closest("[data-row]"));
  const next = index < 0 ? all[step > 0 ? 0 : all.length - 1] : all[index + step];
  if (next) {
    focusTarget(next)?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  } else if (step > 0) {
    document.querySelector("[data-list] [data-more]")?.focus();
  }
});

// What was typed while a list was loading stays in the field and is searched for next.
let loadedMore = null;
let typed = null;

function getTypedText(target, config) {
  const field = document.activeElement;
  if (!field?.id || !field.closest("[data-filters]") || !target?.contains(field)) return null;
  return { id: field.id, value: field.value, caret: field.selectionStart, sent: config.formData.get(field.name) };
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  loadedMore = requestConfig.elt.matches("[data-more]")
    ? { list: target.parentElement, row: target.previousElementSibling }
    : null;
  typed = getTypedText(target, requestConfig);
});

document.addEventListener("htmx:afterSwap", () => {
  const field = typed && document.getElementById(typed.id);
  if (!field) return;
  field.value = typed.value;
  if (typed.caret != null) field.setSelectionRange(typed.caret, typed.caret);
});

document.addEventListener("htmx:afterSettle", () => {
  const field = typed && document.getElementById(typed.id);
  if (field && field.value !== typed.sent) dispatchInput(field);
  const first = loadedMore?.row ? loadedMore.row.nextElementSibling : loadedMore?.list.firstElementChild;
  const next = first?.matches("[data-row]") ? focusTarget(first) : first?.querySelector("[data-more]");
  next?.focus({ preventScroll: true });
  loadedMore = typed = null;
});

// On a narrow page the current tab may be outside the visible part of its bar.
function scrollToCurrentTab() {
  for (const tab of document.querySelectorAll(":is(.tabs, .store-views) [aria-current]")) {
    const bar = tab.parentElement;
    const end = tab.offsetLeft + tab.offsetWidth - bar.offsetLeft;
    if (end > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = end - bar.clientWidth + 48;
  }
}
scrollToCurrentTab();
document.addEventListener("htmx:afterSettle", scrollToCurrentTab);
