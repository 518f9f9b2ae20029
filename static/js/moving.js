// Alt and an arrow moves the row one is in, by the row's own buttons.
const WAYS = { ArrowUp: "up", ArrowDown: "down" };

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (!way || !event.altKey || event.ctrlKey || event.metaKey) return;
  const button = event.target.closest("[data-movable]")?.querySelector(`[data-move="${way}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
