// The blocks of a page move by drag, with their buttons or with Alt and an arrow key. The order of the blocks in the page
// is the order in which they are sent.
import { announceOrder, getBlocks, say } from "./block-list.js";

// --- Move with the buttons, and with Alt and an arrow key, which press them ---
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-block] [data-move]");
  if (!button) return;
  event.preventDefault();
  const block = button.closest("[data-block]");
  const neighbour = button.dataset.move === "up" ? block.previousElementSibling : block.nextElementSibling;
  if (!neighbour) return;
  // The neighbour moves, so that the focus stays in the block.
  if (button.dataset.move === "up") block.after(neighbour);
  else block.before(neighbour);
  block.scrollIntoView({ block: "nearest" });
  announceMove(block);
});

function announceMove(block) {
  const list = block.parentElement;
  const place = getBlocks(list).indexOf(block) + 1;
  announceOrder(list);
  const texts = [place, getBlocks(list).length];
  say(list.dataset.moved.replaceAll("#", () => texts.shift()));
}

// --- Move by drag, with a mouse, a pen or a finger ---
const EDGE = 60;
const EDGE_STEP = 12;
let dragged = null;

document.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest("[data-drag-block]");
  if (!handle || event.button !== 0) return;
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  dragged = handle.closest("[data-block]");
  dragged.dataset.dragging = "";
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (event.clientY < EDGE) window.scrollBy(0, -EDGE_STEP);
  else if (event.clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE_STEP);
  const { previousElementSibling: above, nextElementSibling: below } = dragged;
  if (above && event.clientY < getMiddle(above)) above.before(dragged);
  else if (below && event.clientY > getMiddle(below)) below.after(dragged);
});

function getMiddle(block) {
  const box = block.getBoundingClientRect();
  return box.top + box.height / 2;
}

for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    if (!dragged) return;
    delete dragged.dataset.dragging;
    announceMove(dragged);
    dragged = null;
  });
}
