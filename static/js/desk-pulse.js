// Reports which card is open here, and shows what colleagues have open and have decided, how many posts wait and how
// many are new. The card with the focus shows the facts about its author next to the list.
import { findByName, findCard, getOpenCards, getQueue, refreshHistory, setCount } from "./desk-cards.js";
import { parseHtml, requestHeaders } from "./dom.js";

const POLL_EVERY = 12000;
const POLL_AFTER_FOCUS = 500;
let reportedCard = "";
let timer = 0;

async function poll() {
  const list = getQueue();
  clearTimeout(timer);
  if (!list) return;
  timer = setTimeout(poll, POLL_EVERY);
  if (document.hidden) return;
  reportedCard = findCard(document.activeElement)?.dataset.name ?? "";
  const { show, kind = "", since = "", decisionsUntil, nextUrl: next, pageOf = "" } = list.dataset;
  const names = [...list.querySelectorAll("[data-card]")].map((card) => card.dataset.name).join("\n");
  const response = await fetch(list.dataset.refreshUrl, {
    method: "POST",
    body: new URLSearchParams({
      open: reportedCard,
      show,
      kind,
      since,
      decisions_until: decisionsUntil,
      names,
      next,
      page_of: pageOf,
    }),
    headers: { ...requestHeaders(), "HX-Request": "true" },
  }).catch(() => null);
  if (!response?.ok || list !== getQueue()) return;
  const page = parseHtml(await response.text());
  const colleagues = [...page.querySelectorAll("[data-opened]")].map((each) => [each.dataset.opened, each.textContent]);
  const byCard = new Map(colleagues);
  for (const change of page.querySelectorAll("[data-change]")) changes.set(change.dataset.change, change);
  for (const card of getOpenCards()) {
    const { name } = card.dataset;
    showColleague(card, changes.get(name)?.dataset.text ?? byCard.get(name) ?? "");
  }
  applyChanges();
  showNewPosts(page.querySelector("[data-new-posts]"));
  const answer = page.querySelector("[data-decisions-until]");
  list.dataset.decisionsUntil = answer?.dataset.decisionsUntil ?? decisionsUntil;
  if (answer?.dataset.waiting) setCount(answer.dataset.waiting);
}

// Decisions of colleagues replace their cards. The card with the focus stays, with a note: a key that is pressed just
// now must not reach another card.
const changes = new Map();

function applyChanges() {
  let hasReplaced = false;
  for (const [name, change] of changes) {
    const card = findByName(name, getQueue() ?? document);
    if (card?.contains(document.activeElement)) continue;
    changes.delete(name);
    const fresh = change.firstElementChild;
    if (!card || !fresh || card.dataset.entry === change.dataset.entry) continue;
    fresh.dataset.entry = change.dataset.entry;
    card.replaceWith(fresh);
    htmx.process(fresh);
    hasReplaced = true;
  }
  if (hasReplaced) refreshHistory();
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
  if (changes.size) applyChanges();
  const card = findCard(event.target);
  if (!card) return;
  const side = document.getElementById("about");
  if (side?.checkVisibility() && card.dataset.about && side.dataset.shown !== card.dataset.about) {
    side.dataset.shown = card.dataset.about;
    htmx.ajax("GET", card.dataset.about, { target: "#about", swap: "innerHTML" });
  }
  if (getQueue() && card.dataset.name !== reportedCard) {
    clearTimeout(timer);
    timer = setTimeout(poll, POLL_AFTER_FOCUS);
  }
});

document.addEventListener("visibilitychange", poll);
window.addEventListener("load", poll);
document.addEventListener("htmx:afterSettle", (event) => {
  const { id, dataset } = event.target;
  if (id === "list" || id === "main" || (id === "bulk-panel" && dataset.state === "done")) poll();
});
