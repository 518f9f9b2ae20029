// A person who knows the way presses "g m j" at once. Keys that come while a page is loading act when its scripts run.
import { isShortcut } from "./keyboard.js";

// A key from longer ago is forgotten: the person has noticed that nothing happened.
const RECENT = 2000;
const STORED = "keys-of-next-page";

const isRecent = ({ at }) => Date.now() - at < RECENT;
const isKept = (event) => event.key.length === 1 && isShortcut(event);

// The keys after "g" and a letter are for the page that is being loaded.
export function keepKeysForNextPage() {
  const leftAt = Date.now();
  const keys = [];
  addEventListener(
    "keydown",
    (event) => {
      if (!isKept(event) || !isRecent({ at: leftAt })) return;
      event.preventDefault();
      keys.push({ key: event.key, shiftKey: event.shiftKey, at: Date.now() });
      sessionStorage.setItem(STORED, JSON.stringify(keys));
    },
    true,
  );
}

function takeStoredKeys() {
  const keys = JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
  sessionStorage.removeItem(STORED);
  return keys;
}

function press({ key, shiftKey }) {
  for (const name of ["keydown", "keyup"])
    document.activeElement.dispatchEvent(new KeyboardEvent(name, { key, shiftKey, bubbles: true, cancelable: true }));
}

// early-keys.js has recorded those that came before this script.
const earlyKeys = (window.takeEarlyKeys?.() ?? [])
  .filter(isKept)
  .map(({ key, shiftKey, timeStamp }) => ({ key, shiftKey, at: performance.timeOrigin + timeStamp }));
const keys = [...takeStoredKeys(), ...earlyKeys];

// htmx is ready by then.
document.addEventListener("DOMContentLoaded", () => {
  for (const each of keys) if (isRecent(each)) press(each);
});
