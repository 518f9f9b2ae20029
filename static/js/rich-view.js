// A text as it is shown while nobody writes in it. The rich text editor is mounted only in the block with the focus, so
// that a long page costs as much as a short one.
const TAGS = {
  paragraph: "p",
  bulletList: "ul",
  orderedList: "ol",
  listItem: "li",
  blockquote: "blockquote",
  horizontalRule: "hr",
  hardBreak: "br",
};
export const MARK_TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s", code: "code" };

export function renderBlocks(nodes) {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes.map(renderBlock));
  return fragment;
}

function renderBlock(node) {
  if (node.type === "keptBlock") return renderKept("div", "rich-kept-block", node.attrs.label);
  const element = document.createElement(node.type === "heading" ? `h${node.attrs.level}` : TAGS[node.type]);
  if (node.type === "orderedList" && node.attrs?.start !== 1) element.start = node.attrs.start;
  const hasText = node.type === "paragraph" || node.type === "heading";
  const children = (node.content ?? []).map(hasText ? renderInline : renderBlock);
  element.append(...(hasText && !children.length ? [document.createElement("br")] : children));
  return element;
}

function renderInline(node) {
  if (node.type === "keptText") return renderKept("span", "rich-kept-text", node.attrs.label);
  const text = node.type === "hardBreak" ? document.createElement("br") : document.createTextNode(node.text);
  return (node.marks ?? []).reduceRight((inner, mark) => {
    const outer = document.createElement(MARK_TAGS[mark.type] ?? "span");
    if (mark.type === "link") outer.className = "rich-link-text";
    if (mark.type === "kept") outer.className = "rich-kept-mark";
    if (mark.type === "link") outer.title = mark.attrs.href;
    outer.append(inner);
    return outer;
  }, text);
}

function renderKept(tag, name, label) {
  const element = document.createElement(tag);
  element.className = name;
  element.dataset.label = label;
  return element;
}
