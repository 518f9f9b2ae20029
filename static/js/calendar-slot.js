// A free time in the calendar: a preview under the pointer, and a click that books it.
import {
  clockAt,
  findConflict,
  getBody,
  getGrid,
  isoTimeAt,
  pixelsPerMinute,
  snap,
  stepMinutes,
} from "./calendar-grid.js";

const preview = document.createElement("div");
preview.className = "cal-slot";
preview.setAttribute("aria-hidden", "true");

// The column and the minute under the pointer; null where there is no free time to book.
function findSlot(event) {
  const column = event.target.closest?.("[data-grid] [data-new]");
  if (!column || !event.target.closest(".cal-body") || event.target.closest("a, button")) return null;
  // On a phone the day is a list: a place in it is not a time.
  const body = getBody(column);
  if (getComputedStyle(body).position !== "relative" || !body.clientHeight) return null;
  if (getComputedStyle(document.querySelector(".cal-axis")).display === "none") return null;
  const top = event.clientY - body.getBoundingClientRect().top;
  return { column, minute: Math.max(0, snap(top / pixelsPerMinute(column), Math.floor)) };
}

function showPreview(slot) {
  const { column, minute } = slot;
  const length = Number(getGrid().dataset.length) || stepMinutes();
  const unit = pixelsPerMinute(column);
  const conflict = findConflict({ ...slot, length });
  preview.style.top = `${minute * unit}px`;
  preview.style.height = `${Math.min(length, Number(column.dataset.minutes) - minute) * unit}px`;
  preview.classList.toggle("cal-slot-no", Boolean(conflict));
  const text = conflict ? `${clockAt(column, minute)}: ${getGrid().dataset[conflict]}` : clockAt(column, minute);
  if (preview.textContent !== text) preview.textContent = text;
  if (preview.parentNode !== getBody(column)) getBody(column).append(preview);
}

document.addEventListener("pointermove", (event) => {
  // Touch has no pointer that hovers. A pressed pointer drags a booking.
  const slot = event.pointerType !== "touch" && !event.buttons ? findSlot(event) : null;
  if (slot) showPreview(slot);
  else preview.remove();
});

document.addEventListener("pointerout", (event) => {
  if (!event.relatedTarget) preview.remove();
});

document.addEventListener(
  "click",
  (event) => {
    // calendar-move.js prevents the click that follows a drag.
    const slot = event.defaultPrevented ? null : findSlot(event);
    if (!slot) return;
    location.href = `${slot.column.dataset.new}&start=${encodeURIComponent(isoTimeAt(slot.column, slot.minute))}`;
  },
  true,
);
