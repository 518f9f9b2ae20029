// The moderation desk: shortcuts for the focused card, and the next card after a decision.
import {
  changeCount,
  findByName,
  findCard,
  focusCard,
  getOpenCards,
  isOnDesk,
  refreshHistory,
  showWhetherEmpty,
} from "./desk-cards.js";
import { hideHint, showAgain, showHint } from "./desk-hints.js";
import { findRefusal } from "./desk-typing.js";
import { undoLast } from "./desk-undo.js";
import { isShortcut } from "./keyboard.js";

// --- Shortcuts -----------------------------------------------------------------------------------
// A digit selects the reason with that number. Returns false if there is no such reason.
function selectReason(select, digit) {
  const option = [...select.options].filter((each) => each.value)[Number(digit) - 1];
  if (option) select.value = option.value;
  return Boolean(option);
}

const isDigit = (key) => /^[1-9]$/.test(key);

function decide(card, key) {
  const reason = card.querySelector("[data-reason]");
  const picksReason = isDigit(key) && reason;
  if (picksReason && !selectReason(reason, key)) return;
  const button = card.querySelector(picksReason ? "[data-needs-reason]" : `[data-card-key="${CSS.escape(key)}"]`);
  if (!button) return;
  button.click();
  if (button.matches("[data-needs-reason]") && findMissingReason(card)) return;
  // The focus moves to the next card at once, without waiting for the response.
  const cards = getOpenCards();
  const next = cards[cards.indexOf(card) + 1];
  if (next && card.matches("[data-row]") && navigator.onLine) focusCard(next);
}

// With selected posts, a shortcut applies to all of them.
function decideSelected(key) {
  const form = document.getElementById("bulk");
  if (!form || !document.querySelector("[data-desk] [data-select]:checked")) return false;
  const { reason } = form.elements;
  const picksReason = isDigit(key) && reason;
  if (picksReason && !selectReason(reason, key)) return true;
  const button = form.querySelector(picksReason ? "[data-needs-reason]" : `[data-bulk-key="${CSS.escape(key)}"]`);
  button?.click();
  return Boolean(button);
}

// The keys of the actions, the digits of the reasons, i for the pictures and u for undo.
function isDeskKey(key) {
  const { actionKeys } = document.querySelector("[data-desk]").dataset;
  return key.length === 1 && (actionKeys.includes(key) || isDigit(key) || ["i", "u"].includes(key));
}

// Loads the pictures of a card; if they are there already, removes their blur.
function showPictures(card) {
  const links = [...card.querySelectorAll("[data-show-picture]")];
  for (const element of links.length ? links : card.querySelectorAll("[data-reveal]:not(:checked)")) element.click();
}

// j, k and the arrows: also between the post of a page and its comments. An arrow scrolls a card that is not all visible.
const STEPS = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

function move(event) {
  const cards = getOpenCards().filter((card) => card.checkVisibility());
  const step = STEPS[event.key];
  const focused = findCard(document.activeElement);
  const next = focused ? cards[cards.indexOf(focused) + step] : cards.at(step > 0 ? 0 : -1);
  const { top, bottom } = focused?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  const isCut = step > 0 ? bottom > innerHeight : top < 0;
  if (!next || (event.key.startsWith("Arrow") && isCut)) return;
  event.preventDefault();
  hideHint();
  focusCard(next);
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.key in STEPS && isOnDesk() && !event.shiftKey && isShortcut(event)) move(event);
  },
  true,
);

document.addEventListener("keydown", (event) => {
  if (!isShortcut(event) || !isOnDesk()) return;
  if (!isDeskKey(event.key)) return;
  event.preventDefault();
  hideHint();
  const card = findCard(document.activeElement);
  if (event.key === "u" && !getOpenCards().length) {
    undoAfterPause();
    return;
  }
  const refusal = findRefusal(event);
  if (refusal === "again" && card) showAgain(card, event.key);
  else if (refusal) showHint();
  else if (event.key === "u") undoLast();
  else if (card && event.key === "i") showPictures(card);
  else if (decideSelected(event.key)) return;
  else if (card) decide(card, event.key);
  else showHint();
});

// Enter leaves the search, so that the next keys act on its results.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && isOnDesk() && event.target.matches("[data-desk] input[type=search]"))
    setTimeout(() => event.target.blur());
});

// Escape leaves the reason of a card, so that the next keys act on the card.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || !event.target.matches?.("[data-desk] .case-actions :is(select, input)")) return;
    event.preventDefault();
    focusCard(findCard(event.target));
  },
  true,
);

// Without a card there is nothing to focus: u acts if it is not the beginning of a sentence. Each press counts.
function undoAfterPause() {
  const cancel = (event) => {
    if (event.key === "u") return;
    clearTimeout(timer);
    document.removeEventListener("keydown", cancel);
  };
  const timer = setTimeout(() => {
    document.removeEventListener("keydown", cancel);
    undoLast();
  }, 400);
  setTimeout(() => document.addEventListener("keydown", cancel));
}

// --- After a decision ----------------------------------------------------------------------------
// Several decisions may be on their way at once: each is listed until its card has been replaced.
let pendingSwaps = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, requestConfig } = event.detail;
  if (!target?.matches?.("[data-desk] [data-card]") || (xhr.status >= 400 && xhr.status !== 409)) return;
  const cards = getOpenCards();
  const index = cards.indexOf(target);
  const focused = document.activeElement;
  const isUndoKey = requestConfig.elt.id === "undo-last";
  pendingSwaps = pendingSwaps.filter((swap) => swap.target !== target);
  pendingSwaps.push({
    target,
    canMoveFocus: isUndoKey || focused === document.body || target.contains(focused),
    next: cards[index + 1] ?? null,
    previous: cards[index - 1] ?? null,
    list: target.parentElement,
    name: target.dataset.name,
  });
});

document.addEventListener("htmx:afterSettle", () => {
  const finished = pendingSwaps.filter(({ target }) => !target.isConnected);
  pendingSwaps = pendingSwaps.filter(({ target }) => target.isConnected);
  if (finished.length) refreshHistory();
  finished.forEach(finishDecision);
  showWhetherEmpty();
});

function finishDecision({ canMoveFocus, next, previous, list, name }) {
  const card = findByName(name, list);
  if (card && !("decided" in card.dataset)) {
    const problem = card.querySelector("[data-problem]");
    if (!problem && list.matches("[data-cards]")) changeCount(1);
    // A person who is at another card already keeps the focus there; the problem is also read aloud.
    if (canMoveFocus) problem ? problem.focus() : focusCard(card);
    return;
  }
  changeCount(-1);
  const more = list.querySelector("[data-more]");
  if (!canMoveFocus) return;
  if (next?.isConnected) focusCard(next);
  else if (more) more.click();
  else if (previous?.isConnected) focusCard(previous);
  else card?.querySelector("[data-undo]")?.focus();
}

// A decision that did not arrive: the person is at its card again.
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, xhr, successful } = event.detail;
  const card = !successful && elt.closest(".case-actions") ? findCard(elt) : null;
  if (card?.matches("[data-desk] [data-row]") && ![409, 422].includes(xhr.status)) focusCard(card);
});

// After signing in, the person returns to the card (list-history.js). What was typed would be lost, so it stays.
document.addEventListener("htmx:afterRequest", (event) => {
  const desk = document.querySelector("[data-desk]");
  const hasText = [...document.querySelectorAll("[data-desk] [name=other]")].some((field) => field.value.trim());
  if (event.detail.xhr.status !== 401 || !desk || hasText) return;
  location.assign(`${desk.dataset.signIn}?next=${encodeURIComponent(location.pathname + location.search)}`);
});

// Only the latest decision has a toast. The others can be undone in the list.
document.addEventListener("htmx:afterSettle", () => {
  if (!isOnDesk()) return;
  const toasts = [...document.querySelectorAll('#toasts [data-toast]:not([data-level="error"])')];
  for (const toast of toasts.slice(0, -1)) toast.remove();
});

// --- Reasons -------------------------------------------------------------------------------------
// An action may need a reason. Returns the field that is still empty.
function findMissingReason(form) {
  const reason = form.querySelector("[data-reason]");
  if (!reason || reason.value) return null;
  const { other, own } = reason.form.elements;
  if (own) return own.value.trim() ? null : reason;
  if (!other || reason.selectedOptions[0]?.disabled) return reason;
  return other.value.trim() ? null : other;
}

// An action without its reason is not sent, and a message says what is missing.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("[data-desk] form [data-needs-reason]");
    const field = button && findMissingReason(button.form);
    if (!field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    showReasonProblem(button.form, field);
    field.focus();
  },
  true,
);

function showReasonProblem(form, field) {
  const problem = form.querySelector("[data-reason-problem]");
  if (!problem) return;
  problem.hidden = false;
  problem.textContent = problem.dataset.text;
  field.ariaInvalid = "true";
}

// The option for another reason moves the focus to the field for its text.
for (const name of ["change", "input"])
  document.addEventListener(name, (event) => {
    const form = event.target.form;
    const problem = form?.querySelector("[data-reason-problem]:not([hidden])");
    if (problem && !findMissingReason(form)) {
      problem.hidden = true;
      for (const field of form.querySelectorAll("[aria-invalid]")) field.ariaInvalid = null;
    }
    if (name === "change" && event.target.matches?.("[data-reason]") && !event.target.value)
      form.elements.other?.focus();
  });
