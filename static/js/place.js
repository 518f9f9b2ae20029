// Back from a row: the list is as long as it was, and reading goes on at that row.
const rows = () => [...document.querySelectorAll("[data-list] [data-row]")];

// A press on a row leaves a note in this entry of the history.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-list] .row-link");
  if (!link || event.defaultPrevented) return;
  const place = { shown: rows().length, row: link.getAttribute("href"), scroll: scrollY };
  history.replaceState({ ...history.state, place }, "");
});

function arrive({ row, scroll }) {
  const link = rows()
    .map((each) => each.querySelector(".row-link"))
    .find((each) => each?.getAttribute("href") === row);
  scrollTo({ top: scroll, behavior: "instant" });
  link?.focus({ preventScroll: true });
}

// As many pages as were loaded, one after the other, then the row.
function restore(place) {
  const more = document.querySelector("[data-list] [data-more]");
  if (rows().length >= place.shown || !more) {
    arrive(place);
    return;
  }
  document.addEventListener("htmx:afterSettle", () => setTimeout(() => restore(place)), { once: true });
  more.click();
}

const { place } = history.state ?? {};
const [entry] = performance.getEntriesByType("navigation");
if (place && entry?.type === "back_forward" && document.querySelector("[data-list]")) {
  history.scrollRestoration = "manual";
  // htmx is ready once the page is.
  window.addEventListener("load", () => restore(place), { once: true });
}
