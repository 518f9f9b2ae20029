// Toasts are at the bottom of the window, or at the top where they would cover the main action or the focused control.
const CONTROLS = "a, button, input, select, textarea";

function covered(region) {
  const area = region.getBoundingClientRect();
  const focused = document.activeElement?.matches(CONTROLS) ? [document.activeElement] : [];
  const actions = [...document.querySelectorAll("main .button.primary"), ...focused];
  return actions.filter((action) => {
    if (region.contains(action) || !action.checkVisibility()) return false;
    const { top, bottom, left, right } = action.getBoundingClientRect();
    return top < area.bottom && bottom > area.top && left < area.right && right > area.left;
  }).length;
}

// An open toast does not move: `region` keeps its edge until it is empty.
export function chooseEdge(region) {
  if (region.querySelectorAll("[data-toast]").length > 1) return;
  delete region.dataset.edge;
  const atBottom = covered(region);
  if (!atBottom) return;
  region.dataset.edge = "top";
  if (covered(region) >= atBottom) delete region.dataset.edge;
}
