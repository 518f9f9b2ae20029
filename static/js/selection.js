// Selecting rows: the header takes the page, shift a range, x the row at hand; the bar says how many.
let anchor = null;

const boxes = (list) => [...list.querySelectorAll("[data-row] [data-select]")];

function tell(list) {
  const all = boxes(list);
  const chosen = all.filter((box) => box.checked).length;
  const head = list.querySelector("[data-select-all]");
  if (head) {
    head.checked = chosen > 0 && chosen === all.length;
    head.indeterminate = chosen > 0 && chosen < all.length;
  }
  const count = list.querySelector("[data-count]");
  if (!count || !chosen) return;
  const tooMany = chosen > Number(count.dataset.most ?? Infinity);
  const words = chosen === 1 ? count.dataset.one : tooMany ? count.dataset.tooMany : count.dataset.many;
  count.textContent = words.replace("#", chosen);
  for (const button of count.closest("form").querySelectorAll("button[formaction]")) button.disabled = tooMany;
}

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof Element)) return;
  const list = box.closest("[data-list]");
  if (!list) return;
  if (box.matches("[data-select]")) {
    const all = boxes(list);
    if (event.shiftKey && anchor?.isConnected) {
      const [from, to] = [all.indexOf(anchor), all.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0)
        all.slice(from, to + 1).forEach((each) => {
          each.checked = box.checked;
        });
    }
    anchor = box;
  } else if (box.matches("[data-select-all]")) {
    boxes(list).forEach((each) => {
      each.checked = box.checked;
    });
  } else if (box.closest("[data-clear]")) {
    boxes(list).forEach((each) => {
      each.checked = false;
    });
    (anchor?.isConnected ? anchor : list.querySelector("[data-select-all]"))?.focus();
  } else {
    return;
  }
  tell(list);
});

// Shift marks a range of rows, not of text.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target.closest(".pick")) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (
    event.key !== "Escape" ||
    event.defaultPrevented ||
    document.querySelector("dialog[open], :popover-open, [data-toast]")
  )
    return;
  document.querySelector("[data-list]:has(.pick :checked) [data-clear]")?.click();
});

document.addEventListener("keydown", (event) => {
  const row = document.activeElement?.closest("[data-row]");
  const free =
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !event.target.matches("textarea, select, input:not([type=checkbox])");
  if (event.key.toLowerCase() !== "x" || !row || !free || localStorage.getItem("keys") === "off") return;
  const box = row.querySelector("[data-select]");
  if (!box) return;
  event.preventDefault();
  box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: event.shiftKey }));
});

const tellAll = () => document.querySelectorAll("[data-list]").forEach(tell);
document.addEventListener("htmx:afterSettle", tellAll);
window.addEventListener("pageshow", tellAll);
tellAll();
