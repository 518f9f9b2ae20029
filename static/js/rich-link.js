// The link of the selected words. Without a selection, the address itself is the text.
import { completeAddress, isSafeAddress } from "./addresses.js";
import { readTexts } from "./block-list.js";
import { behaviours, getActive } from "./rich-engine.js";

const getDialog = () => document.querySelector("dialog[data-rich-link]");

export function openLink() {
  const { editor } = getActive();
  const dialog = getDialog();
  if (editor.isActive("link")) editor.commands.extendMarkRange("link");
  dialog.querySelector("[data-rich-address]").value = editor.getAttributes("link").href ?? "";
  dialog.querySelector("[value=remove]").hidden = !editor.isActive("link");
  showError("");
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector("[data-rich-address]").select();
}

function showError(text) {
  const dialog = getDialog();
  dialog.querySelector("[data-rich-error]").textContent = text;
  const field = dialog.querySelector("[data-rich-address]");
  if (text) field.ariaInvalid = "true";
  else field.removeAttribute("aria-invalid");
}

function setLink(href) {
  const { editor } = getActive();
  const { empty } = editor.state.selection;
  const before = editor.getAttributes("link");
  const attrs = { n: null, ...before, href };
  if (!empty) {
    editor.chain().setMark("link", attrs).setTextSelection(editor.state.selection.to).run();
    return;
  }
  editor.commands.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs }] });
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("dialog[data-rich-link] form")) return;
  if (event.submitter?.value !== "set") return;
  const href = completeAddress(event.target.querySelector("[data-rich-address]").value);
  if (isSafeAddress(href)) return;
  event.preventDefault();
  showError(readTexts().badAddress);
});

document.addEventListener(
  "close",
  (event) => {
    const dialog = event.target;
    if (!dialog.matches?.("dialog[data-rich-link]") || !getActive()) return;
    const href = completeAddress(dialog.querySelector("[data-rich-address]").value);
    if (dialog.returnValue === "set") setLink(href);
    else if (dialog.returnValue === "remove") getActive().editor.commands.unsetMark("link");
    getActive().editor.view.focus();
  },
  true,
);

behaviours.push({
  onKeyDown: (_view, event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k")
      return false;
    event.stopPropagation();
    openLink();
    return true;
  },
});
