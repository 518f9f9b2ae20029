// Back from a row to its list, or from the sign-in form after a session ended: loads as many pages as before, then
// restores the scroll position and the focus.
import { listRows } from "./dom.js";

// A click on a row saves the position in the history entry of the list.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-list] .row-link");
  if (!link || event.defaultPrevented) return;
  const place = { shown: listRows().length, row: link.getAttribute("href"), scroll: scrollY };
  history.replaceState({ ...history.state, place }, "");
});

// A session that has ended: what was pressed was not done, and the person comes back to its row.
const SIGNED_OUT = "signed-out-at";
const getUrl = () => location.pathname + location.search;

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, elt } = event.detail;
  if (xhr.status !== 401 || !document.querySelector("[data-list]")) return;
  const row = (elt.closest("[data-row]") ?? document.activeElement?.closest("[data-row]"))?.querySelector(".row-link");
  const place = { shown: listRows().length, row: row?.getAttribute("href"), scroll: scrollY };
  sessionStorage.setItem(SIGNED_OUT, JSON.stringify({ url: getUrl(), place }));
});

function takeSignedOutPlace() {
  const saved = JSON.parse(sessionStorage.getItem(SIGNED_OUT) ?? "null");
  if (saved?.url !== getUrl()) return null;
  sessionStorage.removeItem(SIGNED_OUT);
  return saved.place;
}

function focusRow({ row, scroll }) {
  const links = listRows().map((each) => each.querySelector(".row-link"));
  scrollTo({ top: scroll, behavior: "instant" });
  const link = links.find((each) => each?.getAttribute("href") === row);
  link?.focus({ preventScroll: true });
  link?.closest("[data-row]").scrollIntoView({ block: "nearest" });
}

function restore(place) {
  const more = document.querySelector("[data-list] [data-more]");
  if (listRows().length >= place.shown || !more) {
    focusRow(place);
    return;
  }
  document.addEventListener("htmx:afterSettle", () => setTimeout(() => restore(place)), { once: true });
  more.click();
}

const [navigation] = performance.getEntriesByType("navigation");
const isBack = navigation?.type === "back_forward";
const place = (document.querySelector("[data-list]") && takeSignedOutPlace()) ?? (isBack && history.state?.place);
if (place && document.querySelector("[data-list]")) {
  history.scrollRestoration = "manual";
  // htmx is ready after the load event.
  window.addEventListener("load", () => restore(place), { once: true });
}
