// The calendar's grid: its columns, and the conversion between minutes, pixels and times.
import { formatTime, serverOffset } from "./refresh.js";

let clockOffset = 0;

export const getGrid = () => document.querySelector("[data-grid]");
export const getColumns = () => [...document.querySelectorAll("[data-grid] [data-col]")];
export const getBody = (column) => column.querySelector(".cal-body");
export const stepMinutes = () => Number(getGrid().dataset.step) || 15;
export const pixelsPerMinute = (column) =>
  getBody(column).getBoundingClientRect().height / Number(column.dataset.minutes);
export const timeAt = (column, minute) => new Date(Date.parse(column.dataset.start) + minute * 60000);
export const clockAt = (column, minute) => formatTime(timeAt(column, minute), getGrid().dataset.zone);
export const isoTimeAt = (column, minute) => timeAt(column, minute).toISOString().replace(".000", "");

export function setServerTime(serverTime) {
  clockOffset = serverOffset(serverTime);
}

export const serverNow = () => Date.now() + clockOffset;

// Steps count from midnight, not from the first minute of the column: with steps of 15 minutes 10:10 is not a step.
export function snap(minute, round = Math.round) {
  const first = Number(getGrid().dataset.first) % stepMinutes();
  return round((minute + first) / stepMinutes()) * stepMinutes() - first;
}

// The reason why a booking may not fit here, as far as the page shows it. The server decides.
export function findConflict({ column, minute, length, block = null }) {
  const { top } = getBody(column).getBoundingClientRect();
  const unit = pixelsPerMinute(column);
  const toSpan = (element) => {
    const box = element.getBoundingClientRect();
    return [Math.round((box.top - top) / unit), Math.round((box.bottom - top) / unit)];
  };
  const findAll = (selector) => [...getBody(column).querySelectorAll(selector)];
  if (timeAt(column, minute) < serverNow()) return "past";
  const start = minute - Number(block?.dataset.before || 0);
  const end = minute + length + Number(block?.dataset.after || 0);
  const taken = findAll(".cal-block:not([data-state=CANCELLED], [data-state=LAPSED]), .cal-buffer")
    .filter((other) => !block || (!other.contains(block) && other.dataset.of !== block.id))
    .map(toSpan);
  if (taken.some(([from, until]) => from < end && until > start)) return "taken";
  const open = findAll(".cal-open").map(toSpan);
  if (!open.some(([from, until]) => from <= minute && until >= minute + length)) return "closed";
  return "";
}
