// The calendar: scrolls to what matters, moves the line of the current time, and books an empty slot on a click.
import {
  getBody,
  getGrid,
  isoTimeAt,
  pixelsPerMinute,
  serverNow,
  setServerTime,
  stepMinutes,
} from "./calendar-grid.js";

const TICK_EVERY = 30000;

document.addEventListener(
  "click",
  (event) => {
    const column = event.target.closest?.("[data-grid] [data-new]");
    // calendar-move.js prevents the click that follows a drop.
    if (!column || event.defaultPrevented) return;
    if (!event.target.closest(".cal-body") || event.target.closest("a, button")) return;
    // On a phone the day is a list: a place in it is not a time.
    const body = getBody(column);
    if (getComputedStyle(body).position !== "relative" || !body.clientHeight) return;
    if (getComputedStyle(document.querySelector(".cal-axis")).display === "none") return;
    const top = event.clientY - body.getBoundingClientRect().top;
    const minute = Math.floor(top / pixelsPerMinute(column) / stepMinutes()) * stepMinutes();
    location.href = `${column.dataset.new}&start=${encodeURIComponent(isoTimeAt(column, Math.max(0, minute)))}`;
  },
  true,
);

function setUp() {
  // The button for a new booking follows the day that is shown.
  const day = document.querySelector("[data-new-booking]");
  if (day) document.getElementById("cal-new")?.setAttribute("href", day.dataset.newBooking);
  const grid = getGrid();
  if (!grid) return;
  setServerTime(grid.dataset.now);
  const saved = grid.querySelector("[data-just]");
  if (!("scrolled" in grid.dataset)) scrollToStart(grid, saved);
  grid.dataset.scrolled = "";
  const focused = document.activeElement;
  if (saved && (focused === document.body || focused === document.getElementById("main"))) {
    saved.focus({ preventScroll: true });
  }
}

// Scrolls to the booking that was just saved, else to the current time, else to the first booking.
function scrollToStart(grid, saved) {
  const target = saved ?? grid.querySelector("[data-now-line]") ?? grid.querySelector("[data-block]");
  if (!target) return;
  const box = target.getBoundingClientRect();
  const frame = grid.getBoundingClientRect();
  grid.scrollTop += box.top - frame.top - frame.height / 3;
  if (saved) grid.scrollLeft += Math.min(0, box.left - frame.left - 64) + Math.max(0, box.right - frame.right);
}

function moveNowLine() {
  for (const line of document.querySelectorAll("[data-now-line]")) {
    const column = line.closest("[data-col]");
    const minute = (serverNow() - Date.parse(column.dataset.start)) / 60000;
    line.hidden = minute < 0 || minute > Number(column.dataset.minutes);
    line.style.top = `${minute * pixelsPerMinute(column)}px`;
  }
}

setInterval(moveNowLine, TICK_EVERY);
document.addEventListener("htmx:afterSettle", setUp);
setUp();
