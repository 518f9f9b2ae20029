// A refused request shows its reason near the pressed control, and keeps what was typed.
const STATUSES = [400, 401, 403, 404, 413, 429, 503];

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  const isBoosted = event.detail.boosted || requestConfig.headers["HX-Boosted"];
  if (!STATUSES.includes(xhr.status) || isBoosted || xhr.getResponseHeader("HX-Reswap")) return;
  const source = requestConfig.elt;
  // The failure of a background request is not shown.
  if (source.matches("[data-background-request]")) {
    event.detail.shouldSwap = false;
    return;
  }
  const form = source.closest("form:not([data-filters])");
  const row = source.closest("tr, [data-card]");
  const target = row
    ? document.getElementById("toasts")
    : (form ?? source.closest("[data-list]") ?? event.detail.target);
  for (const problem of target.querySelectorAll("[data-problem]")) problem.remove();
  event.detail.target = target;
  event.detail.swapOverride = row ? "beforeend" : "afterbegin";
  event.detail.selectOverride = "unset";
  event.detail.shouldSwap = true;
});

// A refused POST does not change the address, so that the page can be reloaded.
document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  const { history: update, xhr, requestConfig } = event.detail;
  if (requestConfig?.verb === "get" || xhr.status < 400) return;
  update.type = "replace";
  update.path = location.pathname + location.search;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (STATUSES.includes(event.detail.xhr?.status)) event.detail.target?.querySelector?.("[data-problem]")?.focus();
});
