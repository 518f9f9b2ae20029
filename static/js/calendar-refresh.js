// Refreshes a calendar that stays open, and shows which bookings other people changed.
import { isInUse, REFRESH_EVERY, sendMark } from "./refresh.js";

const HIGHLIGHT_FOR = 20000;
const FOCUSABLE = "a, [data-grid]";

const getCalendar = () => document.querySelector("[data-calendar][data-fingerprint]");
const getTitle = (calendar) => calendar.querySelector(".cal-title").textContent;
const getBookings = (calendar) => [...calendar.querySelectorAll("a[data-fingerprint]")];
let refreshedAt = Date.now();
// The scroll position, the focus and the bookings before a refresh.
let previous = null;

function refresh() {
  if (!getCalendar() || document.hidden || Date.now() - refreshedAt < REFRESH_EVERY) return;
  if (isInUse("[data-grid][data-moving], [data-grid] :active", "[data-filters]")) return;
  refreshedAt = Date.now();
  htmx.trigger(getCalendar(), "calendar:look");
}

setInterval(refresh, 1000);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:configRequest", (event) => sendMark(event, getCalendar()));

document.addEventListener("htmx:beforeSwap", (event) => {
  previous = null;
  const { target, elt } = event.detail;
  if (elt !== getCalendar() || !target.matches("[data-calendar]")) return;
  const grid = target.querySelector("[data-grid]");
  const focused = document.activeElement;
  previous = {
    title: getTitle(target),
    marks: new Map(getBookings(target).map((booking) => [booking.id, booking.dataset.fingerprint])),
    top: grid?.scrollTop,
    left: grid?.scrollLeft,
    // htmx restores the focus of an element that has an id. The head of a column has none.
    focusIndex: focused.id ? -1 : [...target.querySelectorAll(FOCUSABLE)].indexOf(focused),
  };
});

document.addEventListener("htmx:afterSwap", () => {
  refreshedAt = Date.now();
  if (!previous) return;
  const grid = document.querySelector("[data-grid]");
  if (grid) {
    // calendar.js does not scroll a grid with this mark.
    grid.dataset.scrolled = "";
    grid.scrollTop = previous.top ?? 0;
    grid.scrollLeft = previous.left ?? 0;
  }
  highlightChanges();
  if (previous.focusIndex >= 0) {
    getCalendar()?.querySelectorAll(FOCUSABLE)[previous.focusIndex]?.focus({ preventScroll: true });
  }
  previous = null;
});

function highlightChanges() {
  // After midnight the calendar shows another day, so every booking would count as changed.
  if (getTitle(getCalendar()) !== previous.title) return;
  const changed = getBookings(getCalendar()).filter(
    (booking) => previous.marks.get(booking.id) !== booking.dataset.fingerprint,
  );
  for (const booking of changed) {
    booking.dataset.fresh = "";
    setTimeout(() => delete booking.dataset.fresh, HIGHLIGHT_FOR);
  }
  const region = document.getElementById("cal-changed");
  if (!region || !changed.length) return;
  const texts = changed.map((booking) => booking.title || booking.textContent.trim());
  region.textContent = `${region.dataset.announcement} ${texts.join("; ")}`;
}
