// A toast disappears after 8 seconds, not while it has the pointer or the focus, or by its button or Escape. An error
// stays.
import { chooseEdge } from "./toast-edge.js";

const SHOW_FOR = 8000;
const region = document.getElementById("toasts");
const timers = new Map();

function dismiss(toast) {
  clearTimeout(timers.get(toast));
  timers.delete(toast);
  const hadFocus = toast.contains(document.activeElement);
  toast.dataset.leaving = "";
  setTimeout(() => toast.remove(), 180);
  if (hadFocus) document.getElementById("main")?.focus({ preventScroll: true });
}

function startTimer(toast) {
  if (toast.dataset.level === "error" || toast.dataset.toast === "stays") return;
  clearTimeout(timers.get(toast));
  timers.set(
    toast,
    setTimeout(() => dismiss(toast), SHOW_FOR),
  );
}

function onAdded(node) {
  if (!(node instanceof Element && node.matches("[data-toast]"))) return;
  chooseEdge(region);
  startTimer(node);
}

if (region) {
  // Screen readers do not read a live region that is full from the start, so its toasts are added a moment later.
  const initial = [...region.children];
  region.replaceChildren();
  setTimeout(() => region.append(...initial), 120);
  new MutationObserver((changes) => {
    for (const change of changes) change.addedNodes.forEach(onAdded);
  }).observe(region, { childList: true });

  const pause = () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
  const resume = () => {
    if (!region.matches(":hover, :focus-within")) for (const toast of timers.keys()) startTimer(toast);
  };
  region.addEventListener("pointerover", pause);
  region.addEventListener("focusin", pause);
  region.addEventListener("pointerout", () => setTimeout(resume));
  region.addEventListener("focusout", () => setTimeout(resume));

  region.addEventListener("click", (event) => {
    if (event.target.closest("[data-dismiss]")) dismiss(event.target.closest("[data-toast]"));
  });

  region.addEventListener("submit", (event) => clearTimeout(timers.get(event.target.closest("[data-toast]"))));

  // The pressed Undo disappears with its toast, so the focus moves to the page.
  document.addEventListener("htmx:afterSettle", (event) => {
    const pressed = event.detail.requestConfig?.elt.closest("[data-toast]");
    if (pressed && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open"))
      return;
    const last = [...region.querySelectorAll("[data-toast]:not([data-leaving])")].pop();
    if (last) dismiss(last);
  });
}
