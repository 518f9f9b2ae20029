// Refreshes home pages that stay open. A hidden page waits until somebody looks at it.
import { isInUse, sendMark } from "./refresh.js";

const EVERY = 60000;

const getHomes = () => [...document.querySelectorAll("[data-home]")];
let refreshedAt = Date.now();

function refresh() {
  const homes = getHomes();
  if (!homes.length || document.hidden || Date.now() - refreshedAt < EVERY) return;
  if (isInUse("[data-home] :active", "[data-home]")) return;
  refreshedAt = Date.now();
  for (const home of homes) htmx.trigger(home, "home:look");
}

setInterval(refresh, 1000);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:configRequest", (event) => {
  for (const home of getHomes()) sendMark(event, home);
});
