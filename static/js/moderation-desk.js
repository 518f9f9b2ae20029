// The moderation desk: shortcuts for the focused card, the next card after a decision, which cards colleagues have
// open, and new posts.
import { parseHtml, requestHeaders } from "./dom.js";
import { isShortcut } from "./keyboard.js";

const POLL_EVERY = 12000;
const POLL_AFTER_FOCUS = 500;
const OPEN_CARD = "[data-card]:not([data-decided])";

const isOnDesk = () => document.querySelector("[data-desk]") !== null;
const getList = () => document.querySelector("[data-desk] [data-pulse]");
const findCard = (element) => element?.closest?.(OPEN_CARD);
const getOpenCards = () => [...document.querySelectorAll(`[data-desk] ${OPEN_CARD}`)];
const getUndoButtons = () => [...document.querySelectorAll("[data-decided] [data-undo]")];

function focusCard(card) {
  const target = card.querySelector(".row-link") ?? card.querySelector("a, button:not([hidden])");
  target?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

// --- Shortcuts -----------------------------------------------------------------------------------
// The Undo buttons of this person's decisions, the latest last.
let undoButtons = [];

function undo() {
  undoButtons = undoButtons.filter((button) => button.isConnected);
  const toastButton = document.querySelector("#toasts [data-toast]:last-child form button");
  const button = undoButtons.at(-1) ?? getUndoButtons().at(-1) ?? toastButton;
  // The focus goes back to the card whose decision is undone.
  button?.focus({ preventScroll: true });
  button?.click();
}

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
  if (next && card.matches("[data-row]")) focusCard(next);
}

// With selected posts, a shortcut applies to all of them.
function decideSelected(key) {
  const form = document.getElementById("bulk");
  if (!form || !document.querySelector("[data-desk] [data-select]:checked")) return false;
  const { reason } = form.elements;
  const picksReason = isDigit(key) && reason;
  if (picksReason && !selectReason(reason, key)) return true;
  const button = form.querySelector(picksReason ? "[data-needs-reason]" : `[data-bulk-key="${CSS.escape(key)}"]`);
  if (button?.matches("[data-needs-reason]") && reason && !reason.value) reason.focus();
  else button?.click();
  return Boolean(button);
}

// The keys of the actions, the digits of the reasons, and i for the pictures.
function isDeskKey(key) {
  const { actionKeys } = document.querySelector("[data-desk]").dataset;
  return key.length === 1 && (actionKeys.includes(key) || isDigit(key) || key === "i");
}

// Loads the pictures of a card; if they are there already, removes their blur or blurs them again.
function showPictures(card) {
  const links = [...card.querySelectorAll("[data-show-picture]")];
  const boxes = [...card.querySelectorAll("[data-reveal]")];
  const areShown = boxes.every((box) => box.checked);
  if (links.length) for (const link of links) link.click();
  else for (const box of boxes) box.checked = !areShown;
}

document.addEventListener("keydown", (event) => {
  if (!isOnDesk() || !isShortcut(event)) return;
  if (event.key === "u") {
    event.preventDefault();
    undo();
    return;
  }
  if (!isDeskKey(event.key)) return;
  const cards = getOpenCards();
  const card = findCard(document.activeElement) ?? (cards.length === 1 ? cards[0] : null);
  event.preventDefault();
  if (decideSelected(event.key)) return;
  if (!card) {
    // Without a focused card nothing is decided: the first card gets the focus.
    if (cards.length) focusCard(cards[0]);
  } else if (event.key === "i") {
    showPictures(card);
  } else {
    decide(card, event.key);
  }
});

// --- After a decision ----------------------------------------------------------------------------
// Several decisions may be on their way at once: each is listed until its card has been replaced.
let pendingSwaps = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  if (!target?.matches?.("[data-desk] [data-card]") || (xhr.status >= 400 && xhr.status !== 409)) return;
  const cards = getOpenCards();
  const index = cards.indexOf(target);
  const focused = document.activeElement;
  pendingSwaps = pendingSwaps.filter((swap) => swap.target !== target);
  pendingSwaps.push({
    target,
    canMoveFocus: focused === document.body || target.contains(focused),
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
});

function finishDecision({ canMoveFocus, next, previous, list, name }) {
  const card = [...list.querySelectorAll("[data-card]")].find((each) => each.dataset.name === name);
  if (card && !("decided" in card.dataset)) {
    const problem = card.querySelector("[data-problem]");
    if (!problem && list.matches("[data-cards]")) changeCount(1);
    // A person who is at another card already keeps the focus there; the problem is also read aloud.
    if (canMoveFocus) problem ? problem.focus() : focusCard(card);
    return;
  }
  const undoButton = card?.querySelector("[data-undo]");
  if (undoButton) undoButtons.push(undoButton);
  changeCount(-1);
  const more = list.querySelector("[data-more]");
  if (!canMoveFocus) return;
  if (next?.isConnected) focusCard(next);
  else if (more) more.click();
  else if (previous?.isConnected) focusCard(previous);
  else undoButton?.focus();
}

// The history next to the post has a new entry.
async function refreshHistory() {
  const histories = [...document.querySelectorAll("[data-history]")];
  if (!histories.length) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return;
  const fresh = parseHtml(await response.text()).querySelectorAll("[data-history]");
  for (const [index, history] of histories.entries()) if (fresh[index]) history.replaceWith(fresh[index]);
}

// The number on the tab of the queue changes with each decision, if it is an exact count.
function changeCount(difference) {
  const badge = document.querySelector('[data-show="review"] .tabs [aria-current] .count');
  if (!badge || !/^\d+$/.test(badge.textContent)) return;
  badge.textContent = Math.max(0, Number(badge.textContent) + difference);
}

// Only the latest decision has a toast. The others can be undone in the list.
document.addEventListener("htmx:afterSettle", () => {
  if (!isOnDesk()) return;
  const toasts = [...document.querySelectorAll('#toasts [data-toast]:not([data-level="error"])')];
  for (const toast of toasts.slice(0, -1)) toast.remove();
});

// Undo in a toast presses the Undo in the list, so that the list keeps its scroll position.
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.closest("#toasts")) return;
    const action = event.target.getAttribute("action");
    const button = getUndoButtons().find((each) => each.form.getAttribute("action") === action);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.target.closest("[data-toast]").remove();
    button.click();
  },
  true,
);

// An action may need a reason. Returns the field that is still empty.
function findMissingReason(card) {
  const reason = card.querySelector("[data-reason]");
  if (!reason || reason.value) return null;
  if (reason.selectedOptions[0]?.disabled) return reason;
  const { other } = reason.form.elements;
  return other.value.trim() ? null : other;
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.(".case-acts [data-needs-reason]");
    const field = button && findMissingReason(button.closest("[data-card]"));
    if (!field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.focus();
  },
  true,
);

// The option for another reason moves the focus to the field for its text.
document.addEventListener("change", (event) => {
  const select = event.target;
  if (!select.matches?.("[data-reason]")) return;
  if (!select.value) select.closest("form").elements.other?.focus();
});

// --- Colleagues and new posts --------------------------------------------------------------------
let reportedCard = "";
let timer = 0;

// Reports which card is open here, and shows which cards colleagues have open and how many posts are new.
async function poll() {
  const list = getList();
  clearTimeout(timer);
  if (!list) return;
  timer = setTimeout(poll, POLL_EVERY);
  if (document.hidden) return;
  reportedCard = findCard(document.activeElement)?.dataset.name ?? "";
  const { show, kind, since, here: next } = list.dataset;
  const response = await fetch(list.dataset.pulse, {
    method: "POST",
    body: new URLSearchParams({ open: reportedCard, show, kind, since, next }),
    headers: { ...requestHeaders(), "HX-Request": "true" },
  }).catch(() => null);
  if (!response?.ok || list !== getList()) return;
  const page = parseHtml(await response.text());
  const colleagues = [...page.querySelectorAll("[data-opened]")].map((each) => [each.dataset.opened, each.textContent]);
  const byCard = new Map(colleagues);
  for (const card of getOpenCards()) showColleague(card, byCard.get(card.dataset.name) ?? "");
  showNewPosts(page.querySelector("[data-news]"));
}

function showColleague(card, text) {
  const label = card.querySelector("[data-open]");
  if (label && label.textContent.trim() !== text) label.textContent = text;
}

function showNewPosts(link) {
  const region = document.getElementById("news");
  if (!region || region.textContent === (link?.textContent ?? "")) return;
  region.replaceChildren(...(link ? [link] : []));
}

document.addEventListener("focusin", (event) => {
  const card = findCard(event.target);
  if (!card) return;
  const side = document.getElementById("about");
  if (side?.checkVisibility() && card.dataset.about && side.dataset.shown !== card.dataset.about) {
    side.dataset.shown = card.dataset.about;
    htmx.ajax("GET", card.dataset.about, { target: "#about", swap: "innerHTML" });
  }
  if (getList() && card.dataset.name !== reportedCard) {
    clearTimeout(timer);
    timer = setTimeout(poll, POLL_AFTER_FOCUS);
  }
});

document.addEventListener("visibilitychange", poll);
window.addEventListener("load", poll);
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "list" || event.target.id === "main") poll();
});
