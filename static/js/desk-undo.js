// Undo of the last decision: u sends the form of the page. It names the decisions of this visit, the latest first; when
// there are none left, the server finds the person's last decision in the log.
import { changeCount, findByName, focusCard, getQueue, getUndoButtons } from "./desk-cards.js";
import { parseHtml } from "./dom.js";

const FINAL_REFUSALS = [404, 409, 422];
// Decisions of this visit that can be undone, in the order in which they were sent.
let decisions = [];
const sentDecisions = new Map();
let sentCount = 0;
let waitingUndos = 0;
let insertedName = "";

const getForm = () => document.getElementById("undo-last");
const isUndo = (element) => element?.id === "undo-last";

// Presses that come while a decision or an undo is on its way are sent after it.
export function undoLast() {
  if (!getForm()) return;
  waitingUndos += 1;
  sendNext();
}

function sendNext() {
  const form = getForm();
  if (!form || !waitingUndos || sentDecisions.size || "sending" in form.dataset) return;
  waitingUndos -= 1;
  form.requestSubmit();
}

document.addEventListener("htmx:configRequest", (event) => {
  if (isUndo(event.detail.elt) && decisions.length) event.detail.path = decisions.at(-1).url;
});

document.addEventListener("htmx:beforeSend", (event) => {
  const { elt, xhr } = event.detail;
  sentCount += 1;
  if (elt.closest(".case-actions")) sentDecisions.set(xhr, sentCount);
});

// Where the answer of an undo goes: it replaces its card, or it comes back to the queue that it belongs to.
function findPlace(card) {
  const name = card?.dataset.name;
  const shown = name && findByName(name);
  if (shown) return [shown, "outerHTML"];
  const queue = getQueue();
  const kind = name?.includes("/") ? "comments" : "posts";
  const isListed = queue?.dataset.show === "review" && ["all", kind].includes(queue.dataset.kind);
  const list = isListed && card && "waits" in card.dataset && queue.querySelector("[data-cards]");
  insertedName = list ? name : "";
  return list ? [list, "afterbegin"] : [null, "none"];
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, xhr, target: given } = event.detail;
  if (xhr.status >= 400 && xhr.status !== 409) return;
  const isPanel = given?.id === "bulk-panel";
  const order = isPanel ? sentCount : sentDecisions.get(xhr);
  if (order === undefined && !isUndo(requestConfig.elt)) return;
  const page = parseHtml(xhr.responseText);
  const panel = page.getElementById("bulk-panel");
  const card = panel ?? page.querySelector("[data-card]");
  if (isUndo(requestConfig.elt)) {
    const [target, style] = panel ? [document.getElementById("bulk-panel"), "outerHTML"] : findPlace(card);
    if (target) event.detail.target = target;
    event.detail.swapOverride = style;
    event.detail.shouldSwap = true;
  } else if (card?.dataset.undoUrl && !decisions.some(({ url }) => url === card.dataset.undoUrl)) {
    decisions.push({ url: card.dataset.undoUrl, order });
    decisions.sort((a, b) => a.order - b.order);
  }
});

document.addEventListener("htmx:afterSettle", () => {
  const card = insertedName && findByName(insertedName);
  insertedName = "";
  if (!card) return;
  changeCount(1);
  focusCard(card);
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, xhr, successful, requestConfig } = event.detail;
  sentDecisions.delete(xhr);
  // A decision that is undone, or that can no longer be undone, is not undone again.
  if (successful || FINAL_REFUSALS.includes(xhr.status))
    decisions = decisions.filter(({ url }) => url !== requestConfig?.path);
  else if (isUndo(elt)) waitingUndos = 0;
  setTimeout(sendNext);
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
