// The rich text editor: Tiptap, which is loaded when the page has nothing else to do or a text gets the focus.
import { buildExtensions } from "./rich-schema.js";

// What other scripts add: onMount, onUnmount, onUpdate, onTransaction, onKeyDown, onPaste and onDrop.
export const behaviours = [];
let active = null;
let engine = null;
let loading = null;

// The field that is being written in and its editor.
export const getActive = () => active;
export const setActive = (next) => {
  active = next;
};
export const engineOf = () => engine;

export function loadEngine() {
  const address = document.querySelector("[data-rich-engine]").dataset.richEngine;
  loading ??= import(address).then(
    (tiptap) => {
      engine = buildEngine(tiptap);
      return engine;
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

function buildEngine(tiptap) {
  const extensions = buildExtensions(tiptap);
  const { TextSelection } = tiptap.pm.state;

  // The caret of the document, which ProseMirror is told of only some milliseconds later.
  function readCaret(view) {
    if (view.composing) return;
    view.domObserver.forceFlush();
    view.domObserver.flush();
  }

  function createEditor(element, nodes, field, announce) {
    const ask = (name, ...values) => behaviours.some((each) => each[name]?.(...values, field));
    return new tiptap.Editor({
      element,
      extensions,
      content: { type: "doc", content: nodes },
      injectCSS: false,
      enablePasteRules: false,
      enableContentCheck: true,
      editorProps: {
        attributes: { role: "textbox", "aria-multiline": "true", "aria-label": element.ariaLabel },
        handleKeyDown: (view, event) => {
          readCaret(view);
          return ask("onKeyDown", view, event);
        },
        handleDOMEvents: {
          // Before ProseMirror parses what is pasted: it would apply inline styles, which the policy refuses.
          paste: (view, event) => {
            readCaret(view);
            const isDone = ask("onPaste", view, event);
            if (isDone) event.preventDefault();
            return isDone;
          },
          // Those who follow the form are told now and then, not with each key.
          drop: (view, event) => ask("onDrop", view, event),
          input: (_view, event) => {
            event.stopPropagation();
            return false;
          },
        },
        transformCopied: (slice) => {
          engine.copied = slice;
          return slice;
        },
      },
      onUpdate: ({ editor }) => {
        announce();
        ask("onUpdate", editor);
      },
      onTransaction: ({ editor }) => {
        ask("onTransaction", editor);
      },
    });
  }

  // The caret where the person clicked, at a position, or at the end.
  function setPlace({ view, state }, { points, anchor, head = anchor, atEnd = false }) {
    const size = state.doc.content.size;
    const within = (position) => state.doc.resolve(Math.max(0, Math.min(position, size)));
    const found = points?.map((point) => view.posAtCoords(point)?.pos ?? size) ?? [];
    const [from, to] = found.length
      ? [found[0], found.at(-1)]
      : [anchor ?? (atEnd ? size : 0), head ?? (atEnd ? size : 0)];
    const selection = TextSelection.between(within(from), within(to));
    view.dispatch(state.tr.setSelection(selection).setMeta("addToHistory", false));
    view.focus();
  }

  return { tiptap, createEditor, setPlace, copied: null };
}
