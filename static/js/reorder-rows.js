// Alt with an arrow key moves the row that has the focus, by pressing the row's own button.
const DIRECTIONS = { ArrowUp: "up", ArrowDown: "down" };

document.addEventListener("keydown", (event) => {
  const direction = DIRECTIONS[event.key];
  if (!direction || !event.altKey || event.ctrlKey || event.metaKey) return;
  const button = event.target.closest("[data-movable]")?.querySelector(`[data-move="${direction}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
