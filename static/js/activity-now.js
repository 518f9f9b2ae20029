// Refreshes the live page of the activity. A hidden page waits until somebody looks at it.
import { isInUse, sendMark } from "./refresh.js";

const EVERY = 4000;
// Viewers who open the page at the same moment do not ask at the same moment.
const SPREAD = 1000;

const getLive = () => document.querySelector("[data-activity-now]");
let nextAt = Date.now() + EVERY;

function refresh() {
  const live = getLive();
  if (!live || document.hidden || Date.now() < nextAt) return;
  if (isInUse("[data-activity-now] :active", "[data-activity-now]")) return;
  nextAt = Date.now() + EVERY + Math.random() * SPREAD;
  htmx.trigger(live, "activity:look");
}

setInterval(refresh, 500);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:configRequest", (event) => {
  if (getLive()) sendMark(event, getLive());
});
