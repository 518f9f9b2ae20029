// Tables of inputs that work like a spreadsheet: arrow keys, Enter and Escape move, and a copied range is pasted into
// the cells from the current one on. Tab keeps its usual meaning.
import { dispatchInput } from "./dom.js";
import { hasModifier } from "./keyboard.js";

const rowsOf = (grid) => [...grid.tBodies[0].rows];
const cellsOf = (row) => [...row.querySelectorAll("input:not([type=hidden])")];

function position(input) {
  const grid = input.closest("[data-grid]");
  const row = input.closest("tr");
  return { grid, row: rowsOf(grid).indexOf(row), column: cellsOf(row).indexOf(input) };
}

function moveTo(grid, row, column) {
  const target = rowsOf(grid)[row];
  const input = target && cellsOf(target)[column];
  if (!input) return false;
  input.focus();
  input.select();
  return true;
}

function isAtEdge(input, key) {
  const { selectionStart: start, selectionEnd: end, value } = input;
  if (start === 0 && end === value.length) return true;
  return start === end && (key === "ArrowLeft" ? start === 0 : end === value.length);
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Enter: [1, 0] };

document.addEventListener("keydown", (event) => {
  const input = event.target;
  if (!input.matches?.("[data-grid] input") || event.isComposing || hasModifier(event)) return;
  if (event.key === "Escape") {
    input.value = input.defaultValue;
    dispatchInput(input);
    return;
  }
  const step = STEPS[event.key];
  if (!step) return;
  // A field with suggestions uses the vertical arrows itself.
  if (input.list && event.key.startsWith("Arrow") && step[0]) return;
  if (step[1] && !isAtEdge(input, event.key)) return;
  const { grid, row, column } = position(input);
  const direction = event.key === "Enter" && event.shiftKey ? -1 : 1;
  if (moveTo(grid, row + step[0] * direction, column + step[1]) || event.key === "Enter") event.preventDefault();
});

function addRow(grid) {
  const last = rowsOf(grid).at(-1);
  const added = last.cloneNode(true);
  delete added.dataset.failed;
  for (const error of added.querySelectorAll(".error")) error.remove();
  const number = rowsOf(grid).length;
  for (const input of cellsOf(added)) {
    input.value = "";
    input.defaultValue = "";
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    input.setAttribute("aria-label", input.getAttribute("aria-label").replace(String(number), String(number + 1)));
  }
  last.after(added);
}

const MOST_ROWS = 500;

// Say how many pasted rows did not fit.
function showRest(grid, rest) {
  const notice = grid.closest("form").querySelector("[data-paste-rest]");
  notice.hidden = rest <= 0;
  notice.textContent = rest > 0 ? notice.dataset.pasteRest.replace("{n}", rest) : "";
}

document.addEventListener("paste", (event) => {
  const input = event.target;
  if (!input.matches?.("[data-grid] input")) return;
  const text = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const lines = text.split("\n").map((line) => line.split("\t"));
  if (lines.length === 1 && lines[0].length === 1) return;
  event.preventDefault();
  const { grid, row, column } = position(input);
  for (const [down, values] of lines.entries()) {
    if ("gridGrows" in grid.dataset && row + down >= rowsOf(grid).length && row + down < MOST_ROWS) addRow(grid);
    const target = rowsOf(grid)[row + down];
    if (!target) break;
    const cells = cellsOf(target);
    for (const [right, value] of values.entries()) {
      const cell = cells[column + right];
      if (!cell) break;
      cell.value = value.trim();
      dispatchInput(cell);
    }
  }
  showRest(grid, row + lines.length - rowsOf(grid).length);
  moveTo(grid, Math.min(row + lines.length - 1, rowsOf(grid).length - 1), column);
});

// A changed cell is marked, and the number of changed rows is shown next to the button.
document.addEventListener("input", (event) => {
  const grid = event.target.closest?.("[data-grid]");
  if (!grid || "gridGrows" in grid.dataset) return;
  const cell = event.target;
  cell.toggleAttribute("data-changed", cell.value !== (cell.dataset.saved ?? cell.defaultValue));
});
