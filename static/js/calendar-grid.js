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
