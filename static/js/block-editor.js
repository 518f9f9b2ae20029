// The editor of a page: blocks move where they are, by drag, with their buttons or with Alt and an arrow key; "/" in an
// empty text opens the menu of blocks. The order of the blocks in the page is the order in which they are sent.
const getBlocks = (list) => [...list.querySelectorAll(":scope > [data-block]")];

function renumber(list) {
  for (const [index, block] of getBlocks(list).entries()) {
    const number = String(index + 1);
    block.querySelector("[data-number]").textContent = number;
    for (const button of block.querySelectorAll(":scope > fieldset > .block-acts [aria-label]")) {
      button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/: \d+\. /, `: ${number}. `));
    }
  }
}

function announceChange(list) {
  renumber(list);
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

// --- Move with the buttons, and with Alt and an arrow key, which press them ---
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-block] [data-move]");
  if (!button) return;
  event.preventDefault();
  const block = button.closest("[data-block]");
  const active = document.activeElement;
  const neighbour = button.dataset.move === "up" ? block.previousElementSibling : block.nextElementSibling;
  if (!neighbour) return;
  if (button.dataset.move === "up") neighbour.before(block);
  else neighbour.after(block);
  active?.focus({ preventScroll: true });
  block.scrollIntoView({ block: "nearest" });
  announceChange(block.parentElement);
});

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
    announceChange(dragged.parentElement);
    dragged = null;
  });
}

// --- The menu of blocks ---
const getMenu = () => document.querySelector("dialog[data-block-menu]");

function openMenu(prefix) {
  const menu = getMenu();
  for (const button of menu.querySelectorAll("button[value^='add:']")) {
    button.value = `add:${prefix}:${button.value.split(":")[2]}`;
  }
  const search = menu.querySelector("[data-block-search]");
  search.value = "";
  filterMenu(menu);
  menu.showModal();
  search.focus();
}

function filterMenu(menu) {
  const words = menu.querySelector("[data-block-search]").value.trim().toLowerCase();
  for (const item of menu.querySelectorAll("li")) item.hidden = !item.textContent.toLowerCase().includes(words);
}

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key === "/" && field.matches?.("[data-block] textarea[data-markup]") && !field.value && getMenu()) {
    event.preventDefault();
    openMenu(field.closest("[data-block]").id);
  }
  if (event.key === "Enter" && field.matches?.("[data-block-search]")) {
    // The browser would press the first button of the form, which saves.
    event.preventDefault();
    getMenu().querySelector("li:not([hidden]) button")?.click();
  }
});

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-block-search]")) filterMenu(getMenu());
});

document.addEventListener("click", (event) => {
  const chooser = event.target.closest("[data-choose-block]");
  if (chooser && getMenu()) {
    event.preventDefault();
    openMenu(chooser.closest("[data-block]").id);
  } else if (event.target.closest("dialog[data-block-menu] button[value^='add:']")) {
    getMenu().close();
  }
});

// --- The preview next to the form: the server renders what is typed, and the frame takes the new body ---
const TYPING_WAIT = 400;
let timer = 0;
let latest = 0;

async function refreshPreview(form) {
  const frame = document.querySelector("[data-page-preview] iframe");
  if (!frame?.checkVisibility() || !frame.contentDocument) return;
  latest += 1;
  const request = latest;
  try {
    const response = await fetch(frame.getAttribute("src"), { method: "POST", body: new FormData(form) });
    if (!response.ok || request !== latest) return;
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    frame.contentDocument.body.replaceWith(frame.contentDocument.adoptNode(next.body));
  } catch {
    // The connection is shown elsewhere; the preview follows with the next change.
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-blocks-form]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => refreshPreview(form), TYPING_WAIT);
});

// After a button of a block, the form contains changes that the frame does not show yet.
document.addEventListener("htmx:afterSettle", () => {
  const form = document.querySelector("form[data-blocks-form][data-unsaved='changed']");
  const frame = document.querySelector("[data-page-preview] iframe");
  if (form && frame) frame.addEventListener("load", () => refreshPreview(form), { once: true });
});

// A frame that was hidden does not show what was typed meanwhile.
document.addEventListener("change", (event) => {
  const form = document.querySelector("form[data-blocks-form]");
  if (form && event.target.matches(".pane-choice input")) refreshPreview(form);
});
