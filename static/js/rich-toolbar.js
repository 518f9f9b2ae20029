// The tools of the text that is being written: buttons that show what is at the caret, and the style of the paragraph.
import { behaviours, getActive } from "./rich-engine.js";
import { openLink } from "./rich-link.js";

const getToolbar = () => document.querySelector("[data-rich-toolbar]");
const TOOLS = {
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  underline: (chain) => chain.toggleUnderline(),
  strike: (chain) => chain.toggleStrike(),
  code: (chain) => chain.toggleCode(),
  bulletList: (chain) => chain.toggleBulletList(),
  orderedList: (chain) => chain.toggleOrderedList(),
  blockquote: (chain) => chain.toggleBlockquote(),
  undo: (chain) => chain.undo(),
};
let frame = 0;

function refresh() {
  frame = 0;
  const editor = getActive()?.editor;
  const toolbar = getToolbar();
  if (!toolbar) return;
  for (const tool of toolbar.querySelectorAll("[data-rich-tool]")) {
    const isOn = String(Boolean(editor?.isActive(tool.dataset.richTool)));
    if (tool.ariaDisabled !== String(!editor)) tool.ariaDisabled = String(!editor);
    if (tool.ariaPressed !== null && tool.ariaPressed !== isOn) tool.ariaPressed = isOn;
  }
  const style = toolbar.querySelector("[data-rich-style]");
  const value = editor?.isActive("heading") ? String(editor.getAttributes("heading").level) : "paragraph";
  if (style.disabled !== !editor) style.disabled = !editor;
  if (style.value !== value) style.value = value;
}

function refreshSoon() {
  if (!frame) frame = requestAnimationFrame(refresh);
}

behaviours.push({
  onMount: refreshSoon,
  onUnmount: refreshSoon,
  onTransaction: refreshSoon,
  onKeyDown: (_view, event) => {
    if (event.key !== "F10" || !event.altKey) return false;
    getToolbar().querySelector("[data-rich-tool]").focus();
    return true;
  },
});

// The text keeps the focus.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-rich-tool]")) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-rich-tool]");
  const editor = getActive()?.editor;
  if (!tool || !editor) return;
  if (tool.dataset.richTool === "link") openLink();
  else {
    TOOLS[tool.dataset.richTool](editor.chain()).run();
    getActive()?.editor.view.focus();
  }
});

document.addEventListener("change", (event) => {
  const editor = getActive()?.editor;
  if (!event.target.matches("[data-rich-style]") || !editor) return;
  const level = Number(event.target.value);
  if (level) editor.commands.setHeading({ level });
  else editor.commands.setParagraph();
  getActive()?.editor.view.focus();
});

// The toolbar is one stop; the arrow keys go on in it, Escape goes back to the text.
document.addEventListener("keydown", (event) => {
  const tool = event.target.closest?.("[data-rich-tool]");
  if (!tool) return;
  if (event.key === "Escape") getActive()?.editor.view.focus();
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tools = [...getToolbar().querySelectorAll("[data-rich-tool]")];
  event.preventDefault();
  tools.at((tools.indexOf(tool) + step) % tools.length).focus();
});
