// Moves a room's opening or closing on the timeline of the day. By pointer, releasing saves. By keyboard, Enter saves; a
// change that is not saved stays, with its buttons, until the person saves or cancels it.
import { formatTime } from "./refresh.js";

let dragged = null;
// The slider that was saved last: it gets the focus again after the page is replaced.
let savedId = "";

const findSlider = (event) => event.target.closest?.("[data-opening]");
const getCell = (element) => element.closest("td");
const getSliders = (cell) => [...cell.querySelectorAll("[data-opening]")];
const getTimeText = (cell) => cell.querySelector("[data-opening-time]");
const getPending = (cell) => cell.querySelector("[data-pending]");
const hasMoved = (slider) => slider.value !== slider.defaultValue;

function getTime(slider) {
  const { day } = slider.closest("[data-day]").dataset;
  return new Date(Date.parse(day) + Number(slider.value) * 60000);
}

const getClock = (slider) => formatTime(getTime(slider), slider.closest("[data-zone]").dataset.zone);

function showTimes(cell) {
  const text = getTimeText(cell);
  const sliders = getSliders(cell);
  text.dataset.was ??= text.innerHTML;
  for (const slider of sliders) slider.setAttribute("aria-valuetext", getClock(slider));
  if (sliders.some(hasMoved)) {
    text.dataset.moved = "";
    text.textContent = sliders.map(getClock).join("–");
    if (!dragged) showButtons(cell);
  } else {
    delete text.dataset.moved;
    text.innerHTML = text.dataset.was;
    getPending(cell)?.remove();
  }
}

function showButtons(cell) {
  if (getPending(cell)) return;
  cell.append(cell.closest("[data-rooms]").querySelector("[data-pending-buttons]").content.cloneNode(true));
  const room = cell.closest("tr").querySelector(".row-link")?.textContent.trim() ?? "";
  for (const name of getPending(cell).querySelectorAll("[data-room-name]")) name.textContent = ` ${room}`;
}

function reset(...sliders) {
  for (const slider of sliders) slider.value = slider.defaultValue;
  showTimes(getCell(sliders[0]));
}

// Saves all changes of a room.
function save(cell, focused) {
  const moved = getSliders(cell).filter(hasMoved);
  if (!moved.length) return;
  savedId = focused?.id ?? moved[0].id;
  const { opening, shownOpening, roomZone, revision } = moved[0].dataset;
  const command = document.querySelector("[data-rooms] form [name=operation]");
  // The answer replaces the change, so nothing is lost.
  const pending = getPending(cell);
  if (pending) pending.dataset.sending = "";
  htmx.ajax("POST", opening, {
    source: moved[0],
    target: "#list",
    swap: "outerHTML show:none",
    values: {
      // A moved closing leaves the opening as it is, and the other way round.
      open_at: shownOpening,
      ...Object.fromEntries(moved.map((slider) => [slider.dataset.field, getTime(slider).toISOString()])),
      zone: roomZone,
      shown_zone: cell.closest("[data-zone]").dataset.zone,
      revision,
      shown_opening: shownOpening,
      operation: command?.value ?? "",
      next: location.pathname + location.search,
    },
  });
}

document.addEventListener("htmx:afterRequest", (event) => {
  const slider = findSlider(event);
  if (slider && event.detail.xhr.status >= 400) delete getPending(getCell(slider))?.dataset.sending;
});

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
  if (slider) showTimes(getCell(slider));
});

document.addEventListener("pointerdown", (event) => {
  dragged = findSlider(event);
});

document.addEventListener("pointerup", () => {
  const slider = dragged;
  dragged = null;
  if (slider) setTimeout(() => save(getCell(slider), slider));
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
    const cell = slider ? getCell(slider) : event.target.closest?.("[data-pending]")?.closest("td");
    if (!cell) return;
    if (event.key === "Enter" && slider) {
      event.preventDefault();
      save(cell, slider);
    } else if (event.key === "Escape" && getSliders(cell).some(hasMoved)) {
      event.preventDefault();
      event.stopPropagation();
      cancel(cell, slider);
    }
  },
  true,
);

// Cancels all changes of a room. The focus returns to its slider.
function cancel(cell, slider) {
  const moved = getSliders(cell).filter(hasMoved);
  (slider ?? moved[0]).focus();
  reset(...moved);
}

document.addEventListener("submit", (event) => {
  const pending = event.target.closest("[data-pending]");
  if (!pending) return;
  event.preventDefault();
  save(getCell(pending));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-pending-cancel]");
  if (button) cancel(getCell(button));
});
