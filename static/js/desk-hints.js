// Says why a key of the desk did nothing: no card is focused, or the key came too early to be a decision.
import { getOpenCards } from "./desk-cards.js";

const SHOWN_FOR = 6000;
let hide = () => {};
let timer = 0;

function show(display, remove) {
  hideHint();
  display();
  hide = remove;
  timer = setTimeout(hideHint, SHOWN_FOR);
}

export function hideHint() {
  clearTimeout(timer);
  hide();
  hide = () => {};
}

// A page without a place for the hint shows it at its first card.
export function showHint() {
  const hint = document.querySelector("[data-key-hint]");
  const { choose } = document.querySelector("template[data-keys]")?.dataset ?? {};
  if (hint)
    show(
      () => {
        hint.hidden = false;
      },
      () => {
        hint.hidden = true;
      },
    );
  else showAtCard(getOpenCards()[0], choose);
}

export function showAgain(card, key) {
  const { again } = document.querySelector("template[data-keys]")?.dataset ?? {};
  const label = findLabel(card, key);
  if (again) showAtCard(card, again.replace("#", key) + (label ? `: ${label}` : "."));
}

function showAtCard(card, text) {
  if (!card || !text) return;
  const hint = document.createElement("p");
  hint.className = "case-hint";
  hint.role = "status";
  show(
    () => {
      card.append(hint);
      // Screen readers announce a text that comes after its element.
      setTimeout(() => {
        hint.textContent = text;
      });
    },
    () => hint.remove(),
  );
}

// What the key does: the label of its button, and for a digit also the reason.
function findLabel(card, key) {
  const reason = /^[1-9]$/.test(key) ? card.querySelector("[data-reason]") : null;
  const option = reason && [...reason.options].filter((each) => each.value)[Number(key) - 1];
  if (reason && !option) return "";
  const selector = reason ? "[data-needs-reason]:not([hidden])" : `[data-card-key="${CSS.escape(key)}"]`;
  const button = card.querySelector(selector)?.cloneNode(true);
  button?.querySelector("kbd")?.remove();
  return [button?.textContent.trim(), option?.text.trim()].filter(Boolean).join(", ");
}
