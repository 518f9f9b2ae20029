// Row selection: the box in the header selects the page, Shift-click a range, and x the focused row. The bulk bar
// shows how many rows are selected.
import { areShortcutsOff, hasModifier } from "./keyboard.js";

let lastClicked = null;

const getBoxes = (list) => [...list.querySelectorAll("[data-row] [data-select]")];

function check(boxes, checked) {
  for (const box of boxes) box.checked = checked;
}

function updateBar(list) {
  const all = getBoxes(list);
  const selected = all.filter((box) => box.checked).length;
  const head = list.querySelector("[data-select-all]");
  if (head) {
    head.checked = selected > 0 && selected === all.length;
    head.indeterminate = selected > 0 && selected < all.length;
  }
  const count = list.querySelector("[data-count]");
  if (!count || !selected) return;
  const tooMany = selected > Number(count.dataset.max ?? Infinity);
  const words = selected === 1 ? count.dataset.one : tooMany ? count.dataset.tooMany : count.dataset.many;
  count.textContent = words.replace("#", selected);
  for (const button of count.closest("form").querySelectorAll("button:not([type=button], [hidden])"))
    button.disabled = tooMany;
}

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof Element)) return;
  const list = box.closest("[data-list]");
  if (!list) return;
  if (box.matches("[data-select]")) {
    const all = getBoxes(list);
    if (event.shiftKey && lastClicked?.isConnected) {
      const [from, to] = [all.indexOf(lastClicked), all.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) check(all.slice(from, to + 1), box.checked);
    }
    lastClicked = box;
  } else if (box.matches("[data-select-all]")) {
    check(getBoxes(list), box.checked);
  } else if (box.closest("[data-clear]")) {
    check(getBoxes(list), false);
    (lastClicked?.isConnected ? lastClicked : list.querySelector("[data-select-all]"))?.focus();
  } else {
    return;
  }
  updateBar(list);
});

// Shift-click selects rows, not text.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target.closest(".pick")) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  // Escape closes a dialog, a menu or a toast first.
  if (document.querySelector("dialog[open], :popover-open, [data-toast]")) return;
  document.querySelector("[data-list]:has(.pick :checked) [data-clear]")?.click();
});

document.addEventListener("keydown", (event) => {
  const row = document.activeElement?.closest("[data-row]");
  const isTyping = event.target.matches("textarea, select, input:not([type=checkbox])");
  if (event.key.toLowerCase() !== "x" || !row || isTyping || hasModifier(event) || areShortcutsOff()) return;
  const box = row.querySelector("[data-select]");
  if (!box) return;
  event.preventDefault();
  box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: event.shiftKey }));
});

const updateBars = () => document.querySelectorAll("[data-list]").forEach(updateBar);
document.addEventListener("htmx:afterSettle", updateBars);
window.addEventListener("pageshow", updateBars);
updateBars();
