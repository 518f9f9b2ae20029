// The texts of blocks are written in place. A text is shown as it is formatted; the block with the focus has the rich
// text editor. What it changed is in a hidden field of its block, which replaces the text field in the form.
import { nameBlock, readTexts, say } from "./block-list.js";
import { dispatchInput } from "./dom.js";
import { behaviours, engineOf, getActive, loadEngine, setActive } from "./rich-engine.js";
import { renderBlocks } from "./rich-view.js";

const ATOMS = ["horizontalRule", "keptBlock"];
const ANNOUNCE_WAIT = 300;
const fields = new WeakMap();
let announcing = 0;

export const fieldOf = (block) => fields.get(block);
export const isWritable = (field) => field?.nodes.some((node) => !ATOMS.includes(node.type));
export const isEmpty = (field) => field.nodes.length === 1 && !field.nodes[0].content && isWritable(field);
const shownNodes = () => getActive().editor.getJSON().content;
const isChanged = () => JSON.stringify(shownNodes()) !== getActive().before;

export function enhance(input) {
  const block = input.closest("[data-block]");
  if (fields.has(block)) return;
  const area = input.parentElement.querySelector("textarea");
  const host = document.createElement("div");
  host.className = "rich-text";
  host.dataset.richText = "";
  const field = { block, input, area, host, nodes: JSON.parse(input.value) };
  fields.set(block, field);
  area.hidden = true;
  const level = block.querySelector("select[name$='-level']")?.closest(".field");
  if (level) level.hidden = true;
  if ("sent" in input.dataset) sendRich(field);
  area.after(host);
  show(field);
}

function sendRich({ input, area }) {
  input.disabled = false;
  area.disabled = true;
}

// The text field again, where the editor cannot be used.
function showArea(field) {
  const { block, input, area, host } = field;
  fields.delete(block);
  host.remove();
  input.disabled = true;
  area.hidden = area.disabled = false;
}

function show(field) {
  const { host, nodes } = field;
  host.replaceChildren(renderBlocks(nodes));
  host.toggleAttribute("data-empty", isEmpty(field));
  if (!isWritable(field)) return;
  host.tabIndex = 0;
  host.role = "textbox";
  host.ariaMultiLine = "true";
  host.setAttribute("aria-label", field.area.labels[0]?.textContent ?? "");
}

export function store(field, nodes) {
  const { block, input } = field;
  field.nodes = nodes;
  input.value = JSON.stringify(nodes);
  sendRich(field);
  const list = block.parentElement;
  const label = JSON.parse(list.dataset.labels)[nodes[0].type];
  if (label && nodes.length === 1) block.querySelector("[data-label]").textContent = label;
  nameBlock(block, Number(block.querySelector("[data-number]").textContent));
  if (getActive()?.field !== field) show(field);
  announceChange(field);
}

// Only now and then: the scripts that follow the form look at all of it.
function announceChange(field) {
  clearTimeout(announcing);
  announcing = setTimeout(() => dispatchInput(field.input), ANNOUNCE_WAIT);
}

export function mount(field, place = {}) {
  if (getActive()?.field === field) return;
  unmount();
  const engine = engineOf();
  if (!engine) {
    field.host.focus();
    loadEngine().then(
      () => document.activeElement === field.host && mount(field, place),
      () => giveUp(),
    );
    return;
  }
  const { host, nodes } = field;
  for (const name of ["role", "tabindex", "aria-multiline"]) host.removeAttribute(name);
  host.removeAttribute("data-empty");
  host.replaceChildren();
  try {
    const editor = engine.createEditor(host, nodes, field, () => announceChange(field));
    setActive({ field, editor, before: JSON.stringify(editor.getJSON().content) });
    engine.setPlace(editor, place);
  } catch (error) {
    reportError(error);
    setActive(null);
    showArea(field);
    field.area.focus();
    say(readTexts().conflict);
    return;
  }
  for (const each of behaviours) each.onMount?.(field);
}

export function unmount() {
  const active = getActive();
  if (!active) return;
  const { field, editor } = active;
  const nodes = isChanged() ? shownNodes() : null;
  setActive(null);
  editor.destroy();
  for (const each of behaviours) each.onUnmount?.(field);
  if (!field.block.isConnected) return;
  if (nodes) store(field, nodes);
  else show(field);
}

function giveUp() {
  say(readTexts().engine);
  for (const input of document.querySelectorAll("[data-block] [data-rich]")) {
    const field = fields.get(input.closest("[data-block]"));
    if (field && !field.input.value.includes('"kept')) showArea(field);
  }
}

function enhanceAll() {
  const active = getActive();
  if (active && !active.field.block.isConnected) unmount();
  const inputs = document.querySelectorAll("[data-block] [data-rich]");
  if (!inputs.length) return;
  document.querySelector("[data-rich-toolbar]").hidden = false;
  document.querySelector("[data-markup-help]").hidden = true;
  for (const input of inputs) {
    try {
      enhance(input);
    } catch (error) {
      // Its text field stays.
      reportError(error);
    }
  }
  if ("requestIdleCallback" in window) requestIdleCallback(() => loadEngine().catch(giveUp));
}

enhanceAll();
document.addEventListener("htmx:afterSettle", enhanceAll);

// Whoever collects the form gets what is being written.
document.addEventListener("formdata", (event) => {
  const active = getActive();
  if (!active || !event.target.contains(active.field.host) || !isChanged()) return;
  event.formData.set(active.field.input.name, JSON.stringify(shownNodes()));
  event.formData.delete(active.field.area.name);
});

// --- Focus ---
const KEEPS_EDITOR = "[data-rich-toolbar], [data-rich-link], [data-block-menu]";
let isPressed = false;

const fieldAt = (target) => {
  const host = target.closest?.("[data-rich-text]");
  return host ? fields.get(host.closest("[data-block]")) : undefined;
};

document.addEventListener("pointerdown", (event) => {
  isPressed = fieldAt(event.target) !== undefined;
});

document.addEventListener("focusin", (event) => {
  const field = fieldAt(event.target);
  const active = getActive();
  if (active && active.field !== field && !event.target.closest(KEEPS_EDITOR)) unmount();
  if (field && !isPressed) mount(field);
});

// A click places the caret, a drag selects: both on the text as it was shown.
document.addEventListener("click", (event) => {
  isPressed = false;
  const field = fieldAt(event.target);
  if (!isWritable(field) || getActive()?.field === field) return;
  const selection = getSelection();
  const isSelected = !selection.isCollapsed && field.host.contains(selection.anchorNode);
  const boxes = isSelected ? [...selection.getRangeAt(0).getClientRects()] : [];
  const middle = (box, x) => ({ left: x, top: box.top + box.height / 2 });
  const points = boxes.length
    ? [middle(boxes[0], boxes[0].left), middle(boxes.at(-1), boxes.at(-1).right)]
    : [{ left: event.clientX, top: event.clientY }];
  mount(field, { points });
});
