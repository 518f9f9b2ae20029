// Bulk actions inside the list: the panel above it shows the progress, and each row its result.
import { findByName, getOpenCards } from "./desk-cards.js";

const PANEL = "bulk-panel";

// Only the rows of the page get their results.
document.addEventListener("htmx:configRequest", (event) => {
  const { elt, parameters } = event.detail;
  if (!elt.matches("[data-with-names]")) return;
  const cards = document.querySelectorAll("[data-desk] [data-card]");
  parameters.names = [...cards].map((card) => card.dataset.name).join("\n");
});

function showResults(panel) {
  for (const result of panel.querySelectorAll("[data-result]")) {
    const fresh = result.firstElementChild;
    result.remove();
    const card = findByName(result.dataset.result);
    const hadFocus = card?.contains(document.activeElement);
    if (card && fresh) {
      card.replaceWith(fresh);
      htmx.process(fresh);
      // The keys continue at the next card.
      const next = hadFocus && getOpenCards().find((each) => fresh.compareDocumentPosition(each) & 4);
      if (next) next.querySelector(".row-link")?.focus({ preventScroll: true });
    }
  }
}

document.addEventListener("htmx:afterSwap", () => {
  const panel = document.getElementById(PANEL);
  if (!panel) return;
  showResults(panel);
  // The selected rows are being processed.
  if (panel.dataset.state === "running")
    for (const box of document.querySelectorAll("[data-desk] [data-select]:checked")) box.checked = false;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === PANEL) event.target.querySelector("[data-bulk-confirm]")?.focus();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-close-panel]")) document.getElementById(PANEL)?.replaceChildren();
});
