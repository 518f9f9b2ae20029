// A person who knows the way presses "g m j" at once. Keys that were pressed before the scripts ran act when they do.
import { isShortcut } from "./keyboard.js";

// A key from longer ago is forgotten: the person has noticed that nothing happened.
const RECENT = 2000;
const earlyKeys = window.takeEarlyKeys?.() ?? [];

function press({ key, shiftKey }) {
  for (const name of ["keydown", "keyup"])
    document.activeElement.dispatchEvent(new KeyboardEvent(name, { key, shiftKey, bubbles: true, cancelable: true }));
}

// htmx is ready by then.
document.addEventListener("DOMContentLoaded", () => {
  for (const event of earlyKeys)
    if (event.key.length === 1 && isShortcut(event) && performance.now() - event.timeStamp < RECENT) press(event);
});
