// The nodes and marks of the website service for Tiptap, and those that stand for what the editor cannot show. `n` is
// the number of the stored node or mark.
const NUMBER = { n: { default: null, rendered: false } };
const numbered = (extension, more = {}) =>
  extension.extend({
    ...more,
    addAttributes() {
      return { ...this.parent?.(), ...NUMBER };
    },
  });
export function buildExtensions(tiptap) {
  const { Node, Mark } = tiptap;
  const kept = { n: { default: null, rendered: false }, label: { default: "?", rendered: false } };
  const atom = (name, group, tag) =>
    Node.create({
      name,
      group,
      inline: group === "inline",
      atom: true,
      selectable: true,
      addAttributes: () => kept,
      renderHTML: ({ node }) => [
        tag,
        { class: name === "keptBlock" ? "rich-kept-block" : "rich-kept-text", "data-label": node.attrs.label },
      ],
    });
  return [
    tiptap.Document,
    tiptap.Text,
    numbered(tiptap.Paragraph),
    numbered(tiptap.Heading).configure({ levels: [1, 2, 3, 4, 5, 6] }),
    numbered(tiptap.BulletList),
    numbered(tiptap.OrderedList, {
      addInputRules() {
        const getAttributes = ([, start]) => ({ start: Number(start) });
        return [tiptap.wrappingInputRule({ find: /^(\d{1,5})\.\s$/, type: this.type, getAttributes })];
      },
    }),
    numbered(tiptap.ListItem, { content: "block+" }),
    numbered(tiptap.Blockquote),
    numbered(tiptap.HorizontalRule),
    tiptap.HardBreak,
    atom("keptBlock", "block", "div"),
    atom("keptText", "inline", "span"),
    tiptap.Bold,
    tiptap.Italic,
    tiptap.Underline,
    tiptap.Strike,
    tiptap.Code.extend({ excludes: "" }),
    Mark.create({
      name: "link",
      inclusive: false,
      addAttributes: () => ({ href: { default: null, rendered: false }, ...NUMBER }),
      // No link while writing: a click places the caret.
      renderHTML: ({ mark }) => ["span", { class: "rich-link-text", title: mark.attrs.href }, 0],
    }),
    Mark.create({
      name: "kept",
      inclusive: false,
      excludes: "",
      addAttributes: () => kept,
      renderHTML: () => ["span", { class: "rich-kept-mark" }, 0],
    }),
    tiptap.UndoRedo,
  ];
}
