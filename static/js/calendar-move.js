// Moves a booking in the calendar, by pointer or by keyboard.
import {
  clockAt,
  findConflict,
  getBody,
  getColumns,
  getGrid,
  isoTimeAt,
  pixelsPerMinute,
  snap,
  stepMinutes,
} from "./calendar-grid.js";
import { areShortcutsOff, hasModifier } from "./keyboard.js";

const DRAG_PIXELS = 5;
// In an option or a checkbox, the arrow keys belong to the field too.
const FIELD = "input, select, textarea, [contenteditable]";

// The move that a person is making: the booking's block, its target column and minute, and the ghost that shows them.
let move = null;
// The move that was dropped, until the server has answered.
let sentMove = null;
// The block under a pressed pointer.
let pressed = null;
// Whether the pressed pointer has dragged a booking, also if the drag was cancelled.
let hasDragged = false;

function announce(text) {
  const region = document.getElementById("cal-live");
  if (region) region.textContent = text;
}

const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const customerName = (block) => block.querySelector(".cal-who").textContent;
const hasMoved = () => move && (move.column !== move.from.column || move.minute !== move.from.minute);

function describeMove() {
  const { block, column, minute } = move;
  return { who: customerName(block), time: clockAt(column, minute), column: column.dataset.name };
}

function startMove(block, byKey) {
  const column = block.closest("[data-col]");
  const top = block.closest(".cal-block").getBoundingClientRect().top - getBody(column).getBoundingClientRect().top;
  const minute = Math.round(top / pixelsPerMinute(column));
  const ghost = document.createElement("div");
  ghost.className = "cal-ghost";
  move = { block, column, ghost, minute, from: { column, minute }, length: Number(block.dataset.length), byKey };
  block.closest(".cal-block").classList.add("cal-picked");
  getGrid().dataset.moving = "";
  drawGhost();
  if (byKey) announce(fillIn(getGrid().dataset.announcement, describeMove()));
}

function addWarning(text) {
  const warning = hasMoved() && getGrid().dataset[findConflict(move)];
  return warning ? `${text}: ${warning}` : text;
}

function drawGhost() {
  const { block, ghost, column, minute, length } = move;
  const unit = pixelsPerMinute(column);
  ghost.style.top = `${minute * unit}px`;
  ghost.style.height = `${length * unit}px`;
  getBody(column).append(ghost);
  ghost.textContent = addWarning(`${clockAt(column, minute)} ${customerName(block)}`);
  ghost.classList.toggle("cal-ghost-no", Boolean(hasMoved() && findConflict(move)));
}

function moveTo(column, minute) {
  const last = Number(column.dataset.minutes) - Math.min(move.length, stepMinutes());
  move.column = column;
  move.minute = Math.max(0, Math.min(snap(minute), last));
  drawGhost();
}

function cancelMove() {
  if (!move) return;
  const { block, ghost, byKey } = move;
  ghost.remove();
  block.closest(".cal-block")?.classList.remove("cal-picked");
  delete getGrid().dataset.moving;
  move = null;
  if (byKey) {
    announce(getGrid().dataset.left);
    block.focus();
  }
}

function drop() {
  const form = document.getElementById("cal-move");
  if (!form || !hasMoved()) return cancelMove();
  const { block, column, minute, ghost } = move;
  const values = {
    provider: column.dataset.provider,
    start: isoTimeAt(column, minute),
    revision: block.dataset.revision,
  };
  // "Try again" sends this form if the request is lost.
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.setAttribute("action", `${new URL(block.href).pathname}reschedule/`);
  delete getGrid().dataset.moving;
  move = null;
  sentMove = { block, ghost };
  getGrid().setAttribute("aria-busy", "true");
  ghost.textContent = `${ghost.textContent.split(": ")[0]} · ${getGrid().dataset.waits}`;
  ghost.classList.remove("cal-ghost-no");
  announce(getGrid().dataset.waits);
  // Like a boosted form: htmx follows the redirect, and the address stays that of the calendar.
  htmx
    .ajax("POST", form.getAttribute("action"), {
      source: form,
      target: "#main",
      select: "#main",
      swap: "outerHTML show:none",
      values,
      headers: { "HX-Boosted": "true" },
    })
    .then(finishMove, finishMove);
}

// If the response did not replace the calendar, the booking is at its old place again.
function finishMove() {
  const { block, ghost } = sentMove;
  sentMove = null;
  ghost.remove();
  block.closest(".cal-block")?.classList.remove("cal-picked");
  getGrid()?.removeAttribute("aria-busy");
  if (block.isConnected) announce(getGrid().dataset.left);
}

// A refresh does not replace the grid during a move. Another swap cancels the move.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, elt } = event.detail;
  if (!getGrid() || !target.contains(getGrid())) return;
  if ((move || sentMove) && elt.matches("[data-calendar]")) event.detail.shouldSwap = false;
  else if (move) {
    pressed = null;
    cancelMove();
  }
});

// --- By pointer ---
document.addEventListener("pointerdown", (event) => {
  hasDragged = false;
  const block = event.target.closest?.("[data-grid] [data-block]");
  // Touch scrolls the grid. On a touch screen, a booking is moved with the form on its page.
  if (!block || event.button !== 0 || event.pointerType === "touch") return;
  pressed = { block, x: event.clientX, y: event.clientY, inside: event.clientY - block.getBoundingClientRect().top };
});

document.addEventListener("pointermove", (event) => {
  if (!pressed) return;
  if (!event.buttons) {
    // The button was released outside the window.
    pressed = null;
    return cancelMove();
  }
  if (!move) {
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < DRAG_PIXELS || sentMove) return;
    startMove(pressed.block, false);
    hasDragged = true;
  }
  event.preventDefault();
  const isUnderPointer = (column) => {
    const box = column.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX < box.right;
  };
  const column = getColumns().find(isUnderPointer) ?? move.column;
  const top = event.clientY - pressed.inside - getBody(column).getBoundingClientRect().top;
  moveTo(column, top / pixelsPerMinute(column));
  scrollAtEdge(event);
});

function scrollAtEdge(event) {
  const grid = getGrid();
  const box = grid.getBoundingClientRect();
  const edge = 40;
  if (event.clientX > box.right - edge) grid.scrollLeft += 12;
  else if (event.clientX < box.left + edge + 56) grid.scrollLeft -= 12;
  if (event.clientY > box.bottom - edge) grid.scrollTop += 12;
  else if (event.clientY < box.top + edge + 80) grid.scrollTop -= 12;
}

document.addEventListener("pointerup", () => {
  if (pressed && move) drop();
  pressed = null;
});

document.addEventListener("pointercancel", () => {
  pressed = null;
  cancelMove();
});

document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("[data-grid]")) event.preventDefault();
});

// The browser reports a click after a drag, also after a cancelled one. It must neither open the booking nor create
// one. A click by keyboard has no detail.
document.addEventListener(
  "click",
  (event) => {
    if (!hasDragged || !event.detail || !event.target.closest?.("[data-grid]")) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

// --- By keyboard ---
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const DAY_LINKS = { ArrowLeft: "[data-previous-day]", ArrowRight: "[data-next-day]" };

document.addEventListener(
  "keydown",
  (event) => {
    // First what needs no look at the whole page: this runs on each key, in every text field.
    if (!move && event.target.closest?.(FIELD)) return;
    if (!getGrid() && !document.querySelector("[data-calendar]")) return;
    if (move && !move.byKey && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      pressed = null;
      announce(getGrid().dataset.left);
      return cancelMove();
    }
    if (hasModifier(event) || event.isComposing) return;
    if (move?.byKey) return moveByKey(event);
    if (event.target.closest?.(FIELD) || document.querySelector("dialog[open]") || areShortcutsOff()) return;
    const block = event.target.closest?.("[data-block]");
    if (event.key === "m" && block) {
      event.preventDefault();
      event.stopPropagation();
      if (sentMove) announce(getGrid().dataset.waits);
      else startMove(block, true);
    } else if (event.key in DAY_LINKS && !event.target.closest?.("[data-grid], [role=tablist], .tabs")) {
      event.preventDefault();
      document.querySelector(`[data-calendar] ${DAY_LINKS[event.key]}`)?.click();
    }
  },
  true,
);

function moveByKey(event) {
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") return cancelMove();
  if (event.key === "Enter") return drop();
  const arrow = ARROWS[event.key];
  if (!arrow) return;
  const columns = getColumns();
  const column = columns[Math.max(0, Math.min(columns.indexOf(move.column) + arrow[0], columns.length - 1))];
  moveTo(column, move.minute + arrow[1] * stepMinutes());
  move.ghost.scrollIntoView({ block: "nearest", inline: "nearest" });
  announce(addWarning(fillIn("{time}, {column}", describeMove())));
}

document.addEventListener("focusout", (event) => {
  if (move?.byKey && event.target === move.block && event.relatedTarget) cancelMove();
});
