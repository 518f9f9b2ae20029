// The moderators' desk: keys for the card at hand, the next one after a decision, what colleagues have open, what is new.
const BEAT = 12000;
const typing = (element) =>
  element?.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");
const list = () => document.querySelector("[data-desk] [data-pulse]");
const cardAt = (element) => element?.closest?.("[data-card]:not([data-decided])");
const open = () => [...document.querySelectorAll("[data-desk] [data-card]:not([data-decided])")];
const handle = (card) => card.querySelector(".row-link") ?? card.querySelector("a, button:not([hidden])");

function go(card) {
  handle(card)?.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

// --- Keys ----------------------------------------------------------------------------------------
const undone = () => [...document.querySelectorAll("[data-decided] [data-undo]")];
let latest = [];

function undo() {
  latest = latest.filter((button) => button.isConnected);
  const button =
    latest.at(-1) ?? undone().at(-1) ?? document.querySelector("#toasts [data-toast]:last-child form button");
  // Whoever takes something back goes back to it.
  button?.focus({ preventScroll: true });
  button?.click();
}

function decide(card, key) {
  const reason = card.querySelector("[data-reason]");
  if (/^[1-9]$/.test(key) && reason) {
    const option = [...reason.options].filter((each) => each.value)[Number(key) - 1];
    if (!option) return;
    reason.value = option.value;
    key = "b";
  }
  const button = card.querySelector(`[data-card-key="${CSS.escape(key)}"]`);
  if (!button) return;
  button.click();
  if (key === "b" && lacking(card)) return;
  // At once to the next one: whoever works by keyboard does not wait for the answer.
  const all = open();
  const following = all[all.indexOf(card) + 1];
  if (following && card.matches("[data-row]")) go(following);
}

// With posts selected, a key decides about all of them.
const TOGETHER = { a: "approve", b: "ban", d: "delete", r: "restore" };

function together(key) {
  const bar = document.getElementById("bulk");
  if (!bar || !document.querySelector("[data-desk] [data-select]:checked")) return false;
  const reason = bar.elements.reason;
  if (/^[1-9]$/.test(key) && reason) {
    const option = [...reason.options].filter((each) => each.value)[Number(key) - 1];
    if (!option) return true;
    reason.value = option.value;
    key = "b";
  }
  const button = TOGETHER[key] && bar.querySelector(`[name=action][value="${TOGETHER[key]}"]`);
  if (key === "b" && reason && !reason.value) reason.focus();
  else button?.click();
  return Boolean(button);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (!document.querySelector("[data-desk]") || typing(event.target)) return;
  if (document.querySelector("dialog[open]") || localStorage.getItem("keys") === "off") return;
  if (event.key === "u") {
    event.preventDefault();
    undo();
    return;
  }
  if (!/^[abdri1-9]$/.test(event.key)) return;
  const card = cardAt(document.activeElement) ?? (open().length === 1 ? open()[0] : null);
  event.preventDefault();
  if (together(event.key)) return;
  if (!card) {
    // Nothing is decided about what one is not at.
    if (open().length) go(open()[0]);
  } else if (event.key === "i") {
    const boxes = [...card.querySelectorAll("[data-reveal]")];
    const shown = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !shown;
  } else {
    decide(card, event.key);
  }
});

// --- After a decision ----------------------------------------------------------------------------
// Whoever is fast has several on their way: each is remembered until its card has been replaced.
let swaps = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  if (!target?.matches?.("[data-desk] [data-card]") || (xhr.status >= 400 && xhr.status !== 409)) return;
  const all = open();
  const at = all.indexOf(target);
  const free = document.activeElement === document.body || target.contains(document.activeElement);
  swaps = swaps.filter((swap) => swap.target !== target);
  swaps.push({
    target,
    free,
    after: all[at + 1] ?? null,
    before: all[at - 1] ?? null,
    place: target.parentElement,
    name: target.dataset.name,
  });
});

document.addEventListener("htmx:afterSettle", () => {
  const done = swaps.filter(({ target }) => !target.isConnected);
  swaps = swaps.filter(({ target }) => target.isConnected);
  if (done.length) retell();
  done.forEach(goOn);
});

function goOn({ free, after, before, place, name }) {
  const here = [...place.querySelectorAll("[data-card]")].find((card) => card.dataset.name === name);
  if (here && !("decided" in here.dataset)) {
    const problem = here.querySelector("[data-problem]");
    if (!problem && place.matches("[data-cards]")) count(1);
    // What is wrong is said aloud, and waits for whoever has gone on already.
    if (free) problem ? problem.focus() : go(here);
    return;
  }
  const button = here?.querySelector("[data-undo]");
  if (button) latest.push(button);
  count(-1);
  const more = place.querySelector("[data-more]");
  if (!free) return;
  if (after?.isConnected) go(after);
  else if (more) more.click();
  else if (before?.isConnected) go(before);
  else button?.focus();
}

// The history beside it has one entry more.
async function retell() {
  const places = [...document.querySelectorAll("[data-told]")];
  if (!places.length) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const told = [...page.querySelectorAll("[data-told]")];
  places.forEach((place, number) => {
    if (told[number]) place.replaceWith(told[number]);
  });
}

// The number on the tab of the queue goes along, while it is one that was counted.
function count(step) {
  const badge = document.querySelector('[data-show="review"] .tabs [aria-current] .count');
  if (badge && /^\d+$/.test(badge.textContent)) badge.textContent = Math.max(0, Number(badge.textContent) + step);
}

// One toast for the last decision: the others have their way back in the list.
document.addEventListener("htmx:afterSettle", () => {
  if (!document.querySelector("[data-desk]")) return;
  const said = [...document.querySelectorAll('#toasts [data-toast]:not([data-level="error"])')];
  for (const toast of said.slice(0, -1)) toast.remove();
});

// The toast's Undo and the one in the list are the same: the list keeps its place.
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.closest("#toasts")) return;
    const action = event.target.getAttribute("action");
    const twin = undone().find((button) => button.form.getAttribute("action") === action);
    if (!twin) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.target.closest("[data-toast]").remove();
    twin.click();
  },
  true,
);

// A ban has a reason: whoever has given none is led to it, and nothing is sent.
function lacking(card) {
  const reason = card.querySelector("[data-reason]");
  if (!reason || reason.value) return null;
  if (reason.selectedOptions[0]?.disabled) return reason;
  const other = reason.form.elements.other;
  return other.value.trim() ? null : other;
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.(".case-acts :is([data-card-key='b'], button[hidden])");
    const field = button && lacking(button.closest("[data-card]"));
    if (!field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.focus();
  },
  true,
);

// Whoever wants words of their own goes on to write them.
document.addEventListener("change", (event) => {
  const select = event.target;
  if (!select.matches?.("[data-reason]")) return;
  const other = select.closest("form").elements.other;
  if (!select.value) other?.focus();
});

// --- Who else is here, what is new ---------------------------------------------------------------
let told = "";
let timer = 0;

async function beat() {
  const at = list();
  clearTimeout(timer);
  if (!at) return;
  timer = setTimeout(beat, BEAT);
  if (document.hidden) return;
  told = cardAt(document.activeElement)?.dataset.name ?? "";
  const body = new URLSearchParams({
    open: told,
    show: at.dataset.show,
    kind: at.dataset.kind,
    since: at.dataset.since,
    next: at.dataset.here,
  });
  const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  const answer = await fetch(at.dataset.pulse, {
    method: "POST",
    body,
    headers: { "X-CSRFToken": token, "HX-Request": "true" },
  }).catch(() => null);
  if (!answer?.ok || at !== list()) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const opened = new Map(
    [...page.querySelectorAll("[data-opened]")].map((each) => [each.dataset.opened, each.textContent]),
  );
  for (const card of open()) mark(card, opened.get(card.dataset.name) ?? "");
  announce(page.querySelector("[data-news]"));
}

function mark(card, text) {
  const place = card.querySelector("[data-open]");
  if (!place || place.textContent.trim() === text) return;
  place.textContent = text;
}

function announce(link) {
  const place = document.getElementById("news");
  if (!place || place.textContent === (link?.textContent ?? "")) return;
  place.replaceChildren(...(link ? [link] : []));
}

document.addEventListener("focusin", (event) => {
  const card = cardAt(event.target);
  if (!card) return;
  const side = document.getElementById("about");
  if (side?.checkVisibility() && card.dataset.about && side.dataset.shown !== card.dataset.about) {
    side.dataset.shown = card.dataset.about;
    htmx.ajax("GET", card.dataset.about, { target: "#about", swap: "innerHTML" });
  }
  if (list() && card.dataset.name !== told) {
    clearTimeout(timer);
    timer = setTimeout(beat, 500);
  }
});

document.addEventListener("visibilitychange", beat);
window.addEventListener("load", beat);
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "list" || event.target.id === "main") beat();
});
