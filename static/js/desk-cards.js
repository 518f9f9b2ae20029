// The cards of the moderation desk. Other modules of the desk share these helpers.
import { parseHtml } from "./dom.js";

const OPEN_CARD = "[data-card]:not([data-decided])";

export const isOnDesk = () => document.querySelector("[data-desk]") !== null;
export const getQueue = () => document.querySelector("[data-desk][data-refresh-url], [data-desk] [data-refresh-url]");
export const findCard = (element) => element?.closest?.(OPEN_CARD);
export const getOpenCards = () => [...document.querySelectorAll(`[data-desk] ${OPEN_CARD}`)];
export const getUndoButtons = () => [...document.querySelectorAll("[data-decided] [data-undo]")];

export function findByName(name, within = document) {
  return [...within.querySelectorAll("[data-card]")].find((card) => card.dataset.name === name);
}

export function focusCard(card) {
  const target = card.querySelector(".row-link") ?? card.querySelector("a, button:not([hidden])");
  target?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

const getCount = () => document.querySelector('[data-show="review"] .tabs [aria-current] .count');

export function setCount(text) {
  const badge = getCount();
  if (!badge || badge.textContent === text) return;
  badge.textContent = text;
  // The count in the sidebar follows: colleagues and bulk actions change it too.
  document.dispatchEvent(new Event("work-changed"));
}

// The number on the tab of the queue changes with each decision, if it is an exact count.
export function changeCount(difference) {
  const badge = getCount();
  if (!badge || !/^\d+$/.test(badge.textContent)) return;
  badge.textContent = Math.max(0, Number(badge.textContent) + difference);
  document.dispatchEvent(new Event("work-changed"));
}

// A queue in which every card is decided says that it is empty. Its cards stay, with their Undo.
export function showWhetherEmpty() {
  const message = document.querySelector("[data-all-decided]");
  if (message) message.hidden = getOpenCards().length > 0 || document.querySelector("[data-desk] [data-more]") !== null;
}

// After a decision, the history next to a post and the summary of an author are read again.
export async function refreshHistory() {
  const histories = [...document.querySelectorAll("[data-history]")];
  if (!histories.length) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return;
  const fresh = parseHtml(await response.text()).querySelectorAll("[data-history]");
  for (const [index, history] of histories.entries()) if (fresh[index]) history.replaceWith(fresh[index]);
}
