// Tells keys that a person presses for a card from a sentence that is typed outside a field. A key decides only after
// the person has focused or selected a card during this visit, and not while other letters are typed.
import { findCard } from "./desk-cards.js";
import { hasModifier } from "./keyboard.js";

const FIELD = "input, select, textarea, [contenteditable]";
const FOCUS_KEYS = ["j", "k", "ArrowDown", "ArrowUp", "Tab"];
const DESK_KEYS = ["j", "k", "x", "u", "i", "g", "?", "/", "z", " "];
// After a letter that is no shortcut, the next keys belong to the same sentence.
const SENTENCE = 1000;
// Nobody reads a post faster than this: "jaja" is a word, not a step and a decision.
const FIRST_LOOK = 300;
let isPersonActing = false;
let hasFocusedCard = false;
let quietFrom = 0;

const isKnown = (key) => {
  const { actionKeys = "" } = document.querySelector("[data-desk]")?.dataset ?? {};
  return DESK_KEYS.includes(key) || actionKeys.includes(key) || /^\d$/.test(key);
};

// Why a key may not act on cards now: "choose" without a focused card, "again" if it comes too early; empty if it may.
export function findRefusal(event) {
  if (!hasFocusedCard && !document.querySelector("[data-desk] [data-select]:checked")) return "choose";
  if (event.timeStamp >= quietFrom) return "";
  quietFrom = event.timeStamp + FIRST_LOOK;
  return "again";
}

document.addEventListener(
  "keydown",
  (event) => {
    if (hasModifier(event)) return;
    isPersonActing = FOCUS_KEYS.includes(event.key);
    const isTyped = event.key.length === 1 && !event.target.closest(FIELD) && !isKnown(event.key);
    if (isTyped) quietFrom = Math.max(quietFrom, event.timeStamp + SENTENCE);
  },
  true,
);

document.addEventListener("pointerdown", () => {
  isPersonActing = true;
});

for (const name of ["keyup", "click"])
  document.addEventListener(name, () => {
    isPersonActing = false;
  });

document.addEventListener("focusin", (event) => {
  if (hasFocusedCard || !isPersonActing || !findCard(event.target)) return;
  hasFocusedCard = true;
  if (!event.target.closest(":focus-visible")) return;
  quietFrom = Math.max(quietFrom, event.timeStamp + FIRST_LOOK);
});
