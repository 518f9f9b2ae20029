// The calendar: scrolls to what matters, and moves the line of the current time.
import { getGrid, pixelsPerMinute, serverNow, setServerTime } from "./calendar-grid.js";

const TICK_EVERY = 30000;

function setUp() {
  // The button for a new booking follows the day that is shown.
  const day = document.querySelector("[data-new-booking]");
  if (day) document.getElementById("cal-new")?.setAttribute("href", day.dataset.newBooking);
  const grid = getGrid();
  if (!grid) return;
  setServerTime(grid.dataset.now);
  const saved = grid.querySelector("[data-just-saved]");
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
