// Rules that all keyboard shortcuts follow.
const TEXT_FIELD = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";

export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

// A person can switch the shortcuts off in the dialog that lists them.
export const areShortcutsOff = () => localStorage.getItem("keys") === "off";
export const setShortcuts = (on) => localStorage.setItem("keys", on ? "on" : "off");

// A key that another script handled, that is typed into a field or that is pressed in a dialog is not a shortcut.
export function isShortcut(event) {
  if (hasModifier(event) || event.isComposing || event.defaultPrevented) return false;
  return !event.target.closest(TEXT_FIELD) && !areShortcutsOff() && !document.querySelector("dialog[open]");
}
