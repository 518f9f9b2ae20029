// What is pasted becomes what a page can have; what was dropped is said. A text that was copied on this page keeps
// everything.
import { readTexts, say } from "./block-list.js";
import { cleanHtml, parsePasted } from "./paste-cleaner.js";
import { behaviours, engineOf } from "./rich-engine.js";

const COUNTED = ["picture", "table", "media", "field", "link", "note"];
const NAMED = ["style", "align", "script"];

export function describeDropped(dropped, texts) {
  const counted = COUNTED.filter((name) => dropped[name]).map((name) =>
    texts[name][dropped[name] === 1 ? 0 : 1].replace("#", dropped[name]),
  );
  const named = NAMED.filter((name) => dropped[name]).map((name) => texts[name]);
  const all = [...counted, ...named].join(", ");
  return all ? texts.dropped.replace("#", all) : "";
}

function isOwn(html) {
  const { copied } = engineOf();
  if (!copied || !html.includes("data-pm-slice")) return false;
  const words = parsePasted(html).textContent;
  return words === copied.content.textBetween(0, copied.content.size, "", "");
}

// Paragraphs at the edges go on in the text around them.
function insert(view, nodes, [openStart, openEnd] = [0, 0]) {
  const { Fragment, Slice } = engineOf().tiptap.pm.model;
  const isText = (node) => Number(node.type === "paragraph");
  const fragment = Fragment.fromJSON(view.state.schema, nodes);
  const slice = new Slice(fragment, openStart || isText(nodes[0]), openEnd || isText(nodes.at(-1)));
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true));
}

function paste(view, transfer) {
  const html = transfer?.getData("text/html") ?? "";
  if (!html) return false;
  if (isOwn(html)) {
    const { content, openStart, openEnd } = engineOf().copied;
    insert(view, content.toJSON(), [openStart, openEnd]);
    return true;
  }
  const { nodes, dropped } = cleanHtml(html);
  say(describeDropped(dropped, readTexts()));
  if (nodes.length) insert(view, nodes);
  return true;
}

behaviours.push({
  onPaste: (view, event) => paste(view, event.clipboardData),
  // What is dragged from elsewhere is pasted where it is dropped.
  onDrop: (view, event) => {
    const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
    if (view.dragging || !place || !event.dataTransfer?.getData("text/html")) return false;
    event.preventDefault();
    const { TextSelection } = engineOf().tiptap.pm.state;
    const { state } = view;
    view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(place.pos))));
    view.focus();
    return paste(view, event.dataTransfer);
  },
});
