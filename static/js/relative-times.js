// "3 min ago" stays true on a page that stays open.
import { serverOffset } from "./refresh.js";

const UPDATE_EVERY = 15000;
const texts = JSON.parse(document.body.dataset.relativeTimes ?? "null");
const offset = texts ? serverOffset(texts.at) : 0;

// The same steps as on the server. Beyond a week the server shows a date; times in the future do not change.
function format(seconds) {
  const fill = (text, number) => texts.past.replace("%(time)s", text.replace("%(n)s", number));
  if (seconds < 45) return texts.now;
  if (seconds < 3570) return fill(texts.minutes, Math.max(1, Math.round(seconds / 60)));
  if (seconds < 84600) return fill(texts.hours, Math.max(1, Math.round(seconds / 3600)));
  const days = Math.max(1, Math.round(seconds / 86400));
  return days < 7 ? fill(days === 1 ? texts.day : texts.days, days) : null;
}

function update() {
  if (document.hidden) return;
  for (const time of document.querySelectorAll("time[data-relative]")) {
    const seconds = (Date.now() + offset - Date.parse(time.dateTime)) / 1000;
    const text = seconds >= 0 ? format(seconds) : null;
    if (text && time.textContent !== text) time.textContent = text;
  }
}

if (texts) {
  setInterval(update, UPDATE_EVERY);
  document.addEventListener("visibilitychange", update);
}
