// Rooms: counts down to the next opening or closing, and refreshes the page when something may have changed.
import { isInUse, REFRESH_EVERY, sendMark, serverOffset } from "./refresh.js";

const ONE_SECOND = 1000;
const ONE_DAY = 86400000;
const FOCUSABLE = "a, button, summary, select, input:not([type=hidden])";

const getPage = () => document.querySelector("[data-rooms]");
let clockOffset = 0;
let refreshedAt = Date.now();
// The element that has the focus before a refresh, if it has no id: htmx restores the focus of an element with an id.
let focused = null;

const serverNow = () => Date.now() + clockOffset;

function setUp() {
  const page = getPage();
  if (!page) return;
  clockOffset = serverOffset(page.dataset.now);
  refreshedAt = Date.now();
  updateCountdowns();
}

function formatDuration(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / ONE_SECOND));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${minutes} min ${String(seconds % 60).padStart(2, "0")} s`;
}

function updateCountdowns() {
  for (const countdown of document.querySelectorAll("[data-countdown]")) {
    const remaining = Date.parse(countdown.dataset.countdown) - serverNow();
    // More than a day ahead, the date from the server stays.
    if (remaining >= ONE_DAY) continue;
    const text = countdown.dataset.in.replace("#", formatDuration(remaining));
    const target = countdown.querySelector("time") ?? countdown;
    // Most texts change once a minute. Setting the same text again would cost a layout of the whole table.
    if (target.textContent !== text) target.textContent = text;
  }
}

function refresh() {
  const list = document.querySelector("[data-rooms][hx-get]");
  if (!list || document.hidden) return;
  if (isInUse("[data-moved], .rooms-shift[open], [data-list] .pick :checked", "[data-filters], .bulk")) return;
  const isDue = Date.parse(list.dataset.next ?? "") <= serverNow();
  if (Date.now() - refreshedAt < (isDue ? ONE_SECOND : REFRESH_EVERY)) return;
  refreshedAt = Date.now();
  htmx.trigger(list, "rooms:look");
}

setInterval(() => {
  if (!getPage()) return;
  updateCountdowns();
  refresh();
}, ONE_SECOND);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:configRequest", (event) => sendMark(event, getPage()));

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target } = event.detail;
  const element = document.activeElement;
  focused = null;
  if (!target?.matches("[data-rooms]") || !target.contains(element) || element.id) return;
  const row = element.closest("[data-row]");
  focused = { rowId: row?.id, index: [...(row ?? target).querySelectorAll(FOCUSABLE)].indexOf(element) };
});

document.addEventListener("htmx:afterSettle", () => {
  setUp();
  const parent = focused && (focused.rowId ? document.getElementById(focused.rowId) : getPage());
  parent?.querySelectorAll(FOCUSABLE)[focused.index]?.focus({ preventScroll: true });
  focused = null;
});

// The form that shifts many openings gets the focus when it opens.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches?.(".rooms-shift[open]")) event.target.querySelector("[type=number]").focus();
  },
  true,
);

setUp();
