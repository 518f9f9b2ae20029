// Moves a room's opening or closing on the timeline of the day. By pointer, releasing saves; by keyboard, Enter saves.
import { formatTime } from "./refresh.js";

let dragged = null;
// The slider that was saved last: it gets the focus again after the page is replaced.
let savedId = "";

const findSlider = (event) => event.target.closest?.("[data-opening]");
const getTimeText = (slider) => slider.closest("td").querySelector("[data-opening-time]");
const hasMoved = (slider) => slider.value !== slider.defaultValue;

function getTime(slider) {
  const { day } = slider.closest("[data-day]").dataset;
  return new Date(Date.parse(day) + Number(slider.value) * 60000);
}

const getClock = (slider) => formatTime(getTime(slider), slider.closest("[data-zone]").dataset.zone);

function showTime(slider) {
  const text = getTimeText(slider);
  text.dataset.was ??= text.innerHTML;
  if (hasMoved(slider)) {
    text.dataset.moved = "";
    const hint = slider.closest("[data-rooms]").dataset.saveHint;
    text.textContent = dragged ? getClock(slider) : `${getClock(slider)} · ${hint}`;
  } else {
    reset(slider);
  }
  slider.setAttribute("aria-valuetext", getClock(slider));
}

function reset(slider) {
  const text = getTimeText(slider);
  slider.value = slider.defaultValue;
  delete text.dataset.moved;
  if (text.dataset.was) text.innerHTML = text.dataset.was;
  slider.setAttribute("aria-valuetext", getClock(slider));
}

function save(slider) {
  if (!hasMoved(slider)) return;
  savedId = slider.id;
  const command = document.querySelector("[data-rooms] form [name=operation]");
  htmx.ajax("POST", slider.dataset.opening, {
    source: slider,
    target: "#list",
    swap: "outerHTML show:none",
    values: {
      // A moved closing leaves the opening as it is, and the other way round.
      open_at: slider.dataset.shownOpening,
      [slider.dataset.field]: getTime(slider).toISOString(),
      zone: slider.dataset.roomZone,
      shown_zone: slider.closest("[data-zone]").dataset.zone,
      revision: slider.dataset.revision,
      knew: slider.dataset.shownOpening,
      operation: command?.value ?? "",
      next: location.pathname + location.search,
    },
  });
}

document.addEventListener("htmx:afterSettle", (event) => {
  // Toasts settle before the page.
  if (!savedId || event.target.closest?.("#toasts")) return;
  document.getElementById(savedId)?.focus({ preventScroll: true });
  savedId = "";
});

document.addEventListener("focusin", (event) => {
  const slider = findSlider(event);
  if (slider) slider.setAttribute("aria-valuetext", getClock(slider));
});

document.addEventListener("input", (event) => {
  const slider = findSlider(event);
  if (slider) showTime(slider);
});

document.addEventListener("pointerdown", (event) => {
  dragged = findSlider(event);
});

document.addEventListener("pointerup", () => {
  const slider = dragged;
  dragged = null;
  if (slider) setTimeout(() => save(slider));
});

// A touch that scrolls the page is no move.
document.addEventListener("pointercancel", () => {
  const slider = dragged;
  dragged = null;
  if (slider) reset(slider);
});

document.addEventListener(
  "keydown",
  (event) => {
    const slider = findSlider(event);
    if (!slider) return;
    if (event.key === "Enter") {
      event.preventDefault();
      save(slider);
    } else if (event.key === "Escape" && hasMoved(slider)) {
      event.preventDefault();
      event.stopPropagation();
      reset(slider);
    }
  },
  true,
);

document.addEventListener("focusout", (event) => {
  const slider = findSlider(event);
  if (slider && slider !== dragged && !document.querySelector(".htmx-request")) reset(slider);
});
