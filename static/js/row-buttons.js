// Buttons that add or remove rows of a form. If the pressed button is gone, the focus moves to the one in its place.
const getButtons = (group) => [...group.querySelectorAll("button:not([tabindex='-1'])")];
let pressed = null;

document.addEventListener("htmx:beforeRequest", (event) => {
  const button = event.detail.requestConfig?.triggeringEvent?.submitter;
  const group = button?.closest("[data-keep-button-focus]");
  pressed = group ? { groupId: group.id, value: button.value, index: getButtons(group).indexOf(button) } : null;
});

document.addEventListener("htmx:afterSettle", () => {
  const group = pressed && document.getElementById(pressed.groupId);
  if (!group || document.activeElement !== document.body) return;
  const buttons = getButtons(group);
  const same = buttons.find((button) => button.value === pressed.value);
  (same ?? buttons[Math.min(pressed.index, buttons.length - 1)])?.focus({ preventScroll: true });
  pressed = null;
});
