// What is pasted becomes what a page can have; what was dropped is said. A text that was copied on this page keeps
// everything.
import { readTexts, say } from "./block-list.js";
import { cleanHtml } from "./paste-cleaner.js";
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
  const words = new DOMParser().parseFromString(html, "text/html").body.textContent;
  return words === copied.content.textBetween(0, copied.content.size, "", "");
}

function insert(view, nodes) {
  const { Fragment, Slice } = engineOf().tiptap.pm.model;
  const fragment = Fragment.fromJSON(view.state.schema, nodes);
  const isText = (node) => node.type === "paragraph";
  const slice = new Slice(fragment, isText(nodes[0]) ? 1 : 0, isText(nodes.at(-1)) ? 1 : 0);
  view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true));
}

behaviours.push({
  onPaste: (view, event) => {
    const html = event.clipboardData?.getData("text/html") ?? "";
    if (!html) return false;
    if (isOwn(html)) {
      view.dispatch(view.state.tr.replaceSelection(engineOf().copied).scrollIntoView());
      return true;
    }
    const { nodes, dropped } = cleanHtml(html);
    say(describeDropped(dropped, readTexts()));
    if (nodes.length) insert(view, nodes);
    return true;
  },
});
