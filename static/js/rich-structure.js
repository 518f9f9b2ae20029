// Blocks of text follow what is written: Enter makes a block of its own, Backspace at the start joins two, the arrow
// keys go on in the next one, "/" in an empty one opens the menu of blocks.
import { announceOrder, getBlocks } from "./block-list.js";
import { behaviours, engineOf, getActive } from "./rich-engine.js";
import { enhance, fieldOf, isEmpty, isWritable, mount, store, unmount } from "./rich-fields.js";

// As on the server.
const MAX_BLOCKS = 600;
const TEXT_BLOCKS = ["paragraph", "heading"];

export function insertBlock(after, nodes) {
  const template = document.querySelector("template[data-new-block]");
  const prefix = `x${[...crypto.getRandomValues(new Uint8Array(5))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const copy = document.createElement("template");
  copy.innerHTML = template.innerHTML.replaceAll("xblank", prefix);
  const block = copy.content.firstElementChild;
  after.after(block);
  enhance(block.querySelector("[data-rich]"));
  store(fieldOf(block), nodes);
  htmx.process(block);
  return block;
}

// A text that became several blocks is shown as several blocks.
function spread(field) {
  const active = getActive();
  if (active?.field !== field) return;
  const { state, view } = active.editor;
  const list = field.block.parentElement;
  const { doc, selection } = state;
  if (doc.childCount < 2 || view.composing || getBlocks(list).length + doc.childCount > MAX_BLOCKS) return;
  const index = Math.min(selection.$head.index(0), doc.childCount - 1);
  let start = 0;
  for (let each = 0; each < index; each += 1) start += doc.child(each).nodeSize;
  const [first, ...others] = active.editor.getJSON().content;
  unmount();
  store(field, [first]);
  const blocks = [field.block];
  for (const node of others) blocks.push(insertBlock(blocks.at(-1), [node]));
  announceOrder(list);
  mount(fieldOf(blocks[index]), { anchor: selection.anchor - start, head: selection.head - start });
  blocks[index].scrollIntoView({ block: "nearest" });
}

function neighbourOf(block, step) {
  let next = block[step];
  while (next && !isWritable(fieldOf(next))) next = next[step];
  return next && fieldOf(next);
}

// The text of the second block continues the first one.
function join(first, second) {
  const [last, next] = [first.nodes.at(-1), second.nodes[0]];
  if (!TEXT_BLOCKS.includes(last.type) || !TEXT_BLOCKS.includes(next.type)) return false;
  const { tiptap } = engineOf();
  const schema = getActive().editor.schema;
  const end = tiptap.pm.model.Node.fromJSON(schema, { type: "doc", content: first.nodes }).content.size - 1;
  const content = [...(last.content ?? []), ...(next.content ?? [])];
  const joined = content.length ? { ...last, content } : last;
  unmount();
  const list = first.block.parentElement;
  second.block.remove();
  store(first, [...first.nodes.slice(0, -1), joined, ...second.nodes.slice(1)]);
  announceOrder(list);
  mount(first, { anchor: end });
  return true;
}

// The nodes of both as they are, also of the one that is being written in.
function joinWith(field, step) {
  const { editor } = getActive();
  const isBefore = step === "previousElementSibling";
  const block = field.block[step];
  const other = block && fieldOf(block);
  if (isWritable(other)) {
    field.nodes = editor.getJSON().content;
    if (isBefore ? join(other, field) : join(field, other)) return true;
  }
  if (!isEmpty({ nodes: editor.getJSON().content })) return false;
  const next = neighbourOf(field.block, step);
  if (!next) return false;
  unmount();
  const list = field.block.parentElement;
  field.block.remove();
  announceOrder(list);
  mount(next, { atEnd: isBefore });
  return true;
}

function go(field, step) {
  const next = neighbourOf(field.block, step);
  if (!next) return false;
  mount(next, { atEnd: step === "previousElementSibling" });
  next.block.scrollIntoView({ block: "nearest" });
  return true;
}

const [BACK, FORWARD] = ["previousElementSibling", "nextElementSibling"];

function onKeyDown(view, event, field) {
  const { selection, doc } = view.state;
  const { $head, empty } = selection;
  if (event.key === "Escape") {
    unmount();
    field.block.querySelector("[data-drag-block]").focus();
    return true;
  }
  if (!empty || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const isAtStart = $head.pos <= 1;
  const isAtEnd = $head.pos >= doc.content.size - 1;
  switch (event.key) {
    case "Backspace":
      return isAtStart && $head.parent.type.name === "paragraph" && joinWith(field, BACK);
    case "Delete":
      return isAtEnd && joinWith(field, FORWARD);
    case "ArrowLeft":
      return isAtStart && go(field, BACK);
    case "ArrowRight":
      return isAtEnd && go(field, FORWARD);
    case "ArrowUp":
      return view.endOfTextblock("up") && $head.start() <= firstTextStart(doc) && go(field, BACK);
    case "ArrowDown":
      return view.endOfTextblock("down") && $head.end() >= lastTextEnd(doc) && go(field, FORWARD);
    case "/":
      if (doc.childCount > 1 || doc.textContent || doc.firstChild.childCount) return false;
      field.block.dispatchEvent(new CustomEvent("block-menu", { bubbles: true }));
      return true;
    default:
      return false;
  }
}

function firstTextStart(doc) {
  let start = -1;
  doc.descendants((node, position) => {
    if (start < 0 && node.isTextblock) start = position + 1;
    return start < 0;
  });
  return start;
}

function lastTextEnd(doc) {
  let end = 0;
  doc.descendants((node, position) => {
    if (node.isTextblock) end = position + 1 + node.content.size;
  });
  return end;
}

behaviours.push({
  onKeyDown,
  onUpdate: (editor, field) => {
    if (editor.state.doc.childCount > 1) queueMicrotask(() => spread(field));
  },
});

// The end of an input method's word may have made several blocks.
document.addEventListener("compositionend", () => {
  const active = getActive();
  if (active) setTimeout(() => spread(active.field));
});
