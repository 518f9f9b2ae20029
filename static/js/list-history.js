// Back from a row to its list: loads as many pages as before, then restores the scroll position and the focus.
import { listRows } from "./dom.js";

// A click on a row saves the position in the history entry of the list.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-list] .row-link");
  if (!link || event.defaultPrevented) return;
  const place = { shown: listRows().length, row: link.getAttribute("href"), scroll: scrollY };
  history.replaceState({ ...history.state, place }, "");
});

function focusRow({ row, scroll }) {
  const links = listRows().map((each) => each.querySelector(".row-link"));
  scrollTo({ top: scroll, behavior: "instant" });
  links.find((link) => link?.getAttribute("href") === row)?.focus({ preventScroll: true });
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

const { place } = history.state ?? {};
const [navigation] = performance.getEntriesByType("navigation");
if (place && navigation?.type === "back_forward" && document.querySelector("[data-list]")) {
  history.scrollRestoration = "manual";
  // htmx is ready after the load event.
  window.addEventListener("load", () => restore(place), { once: true });
}
