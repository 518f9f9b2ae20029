// The menu of blocks: "/" in an empty text and the plus of a block open it, typing filters, the arrow keys choose. Blocks
// of text appear at once; the server adds the others.
import { announceOrder } from "./block-list.js";
import { getActive } from "./rich-engine.js";
import { fieldOf, isEmpty, mount, store, unmount } from "./rich-fields.js";
import { insertBlock } from "./rich-structure.js";

const ITEM = { type: "listItem", content: [{ type: "paragraph" }] };
const TEXTS = {
  paragraph: { type: "paragraph" },
  heading: { type: "heading", attrs: { level: 2 } },
  bulletList: { type: "bulletList", content: [ITEM] },
  orderedList: { type: "orderedList", attrs: { start: 1 }, content: [ITEM] },
  blockquote: { type: "blockquote", content: [{ type: "paragraph" }] },
};
const getMenu = () => document.querySelector("dialog[data-block-menu]");
const shownButtons = () => [...getMenu().querySelectorAll("li:not([hidden]) button")];

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

function addText(prefix, type) {
  const block = document.getElementById(prefix);
  const field = block && fieldOf(block);
  if (!TEXTS[type] || !document.querySelector("template[data-new-block]") || !block) return false;
  unmount();
  if (field && isEmpty(field)) {
    store(field, [TEXTS[type]]);
    mount(field);
    return true;
  }
  const added = insertBlock(block, [TEXTS[type]]);
  announceOrder(block.parentElement);
  mount(fieldOf(added));
  return true;
}

function moveInMenu(event) {
  const buttons = shownButtons();
  const index = buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  (buttons[index] ?? getMenu().querySelector("[data-block-search]")).focus();
}

document.addEventListener("block-menu", (event) => openMenu(event.target.id));

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key === "/" && field.matches?.("[data-block] textarea[data-markup]") && !field.value && getMenu()) {
    event.preventDefault();
    openMenu(field.closest("[data-block]").id);
  }
  if (!field.closest?.("dialog[data-block-menu]")) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") moveInMenu(event);
  if (event.key === "Enter" && field.matches("[data-block-search]")) {
    // The browser would press the first button of the form, which saves.
    event.preventDefault();
    shownButtons()[0]?.click();
  }
});

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-block-search]")) return;
  event.stopPropagation();
  filterMenu(getMenu());
});

document.addEventListener("click", (event) => {
  const chooser = event.target.closest("[data-choose-block]");
  if (chooser && getMenu()) {
    event.preventDefault();
    openMenu(chooser.closest("[data-block]").id);
    return;
  }
  const button = event.target.closest("dialog[data-block-menu] button[value^='add:']");
  if (!button) return;
  getMenu().close();
  const [, prefix, type] = button.value.split(":");
  if (addText(prefix, type)) event.preventDefault();
});

// Escape leads back to the text.
document.addEventListener(
  "close",
  (event) => {
    if (event.target === getMenu()) getActive()?.editor.view.focus();
  },
  true,
);
