// Rows of a form come and go by its buttons: where one is gone with its row, one goes on at what stands in its place.
const buttons = (group) => [...group.querySelectorAll("button:not([tabindex='-1'])")];
let left = null;

document.addEventListener("htmx:beforeRequest", (event) => {
  const pressed = event.detail.requestConfig?.triggeringEvent?.submitter;
  const group = pressed?.closest("[data-goes-on]");
  left = group ? { id: group.id, value: pressed.value, nth: buttons(group).indexOf(pressed) } : null;
});

document.addEventListener("htmx:afterSettle", () => {
  const group = left && document.getElementById(left.id);
  if (!group || document.activeElement !== document.body) return;
  const all = buttons(group);
  const there = all.find((each) => each.value === left.value) ?? all[Math.min(left.nth, all.length - 1)];
  there?.focus({ preventScroll: true });
  left = null;
});
