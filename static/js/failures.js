// A refused request shows why, near what was pressed, and takes nothing away: what was typed stays.
const KEEPS = [400, 401, 403, 404, 413, 429, 503];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  const boosted = event.detail.boosted || requestConfig.headers["HX-Boosted"];
  if (!KEEPS.includes(xhr.status) || boosted || xhr.getResponseHeader("HX-Reswap")) return;
  const source = requestConfig.elt;
  // Something beside the page that nobody pressed for: without it nothing is missing.
  if (source.matches("[data-quietly]")) {
    event.detail.shouldSwap = false;
    return;
  }
  const form = source.closest("form:not([data-filters])");
  const row = source.closest("tr, [data-card]");
  const place = row
    ? document.getElementById("toasts")
    : (form ?? source.closest("[data-list]") ?? event.detail.target);
  for (const old of place.querySelectorAll("[data-problem]")) old.remove();
  event.detail.target = place;
  event.detail.swapOverride = row ? "beforeend" : "afterbegin";
  event.detail.selectOverride = "unset";
  event.detail.shouldSwap = true;
});

// What was refused leads nowhere: the address stays the page's, and can be loaded again.
document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  const { history: update, xhr, requestConfig } = event.detail;
  if (requestConfig?.verb === "get" || xhr.status < 400) return;
  update.type = "replace";
  update.path = location.pathname + location.search;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (KEEPS.includes(event.detail.xhr?.status)) event.detail.target?.querySelector?.("[data-problem]")?.focus();
});
