// A toast stays 8 s, waits while it is looked at, and leaves by its button or Escape. An error stays.
const STAYS = 8000;
const region = document.getElementById("toasts");
const timers = new Map();

function leave(toast) {
  clearTimeout(timers.get(toast));
  timers.delete(toast);
  const held = toast.contains(document.activeElement);
  toast.dataset.leaving = "";
  setTimeout(() => toast.remove(), 180);
  if (held) document.getElementById("main")?.focus({ preventScroll: true });
}

function start(toast) {
  if (toast.dataset.level === "error" || toast.dataset.toast === "stays") return;
  clearTimeout(timers.get(toast));
  timers.set(
    toast,
    setTimeout(() => leave(toast), STAYS),
  );
}

function arrive(node) {
  if (node instanceof Element && node.matches("[data-toast]")) start(node);
}

if (region) {
  // A region that arrives full is not read aloud: what it holds arrives a moment after the page.
  const waiting = [...region.children];
  region.replaceChildren();
  setTimeout(() => region.append(...waiting), 120);
  new MutationObserver((changes) => {
    for (const change of changes) change.addedNodes.forEach(arrive);
  }).observe(region, { childList: true });

  const pause = () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
  const resume = () => {
    if (!region.matches(":hover, :focus-within")) for (const toast of timers.keys()) start(toast);
  };
  region.addEventListener("pointerover", pause);
  region.addEventListener("focusin", pause);
  region.addEventListener("pointerout", () => setTimeout(resume));
  region.addEventListener("focusout", () => setTimeout(resume));

  region.addEventListener("click", (event) => {
    if (event.target.closest("[data-dismiss]")) leave(event.target.closest("[data-toast]"));
  });

  region.addEventListener("submit", (event) => clearTimeout(timers.get(event.target.closest("[data-toast]"))));

  // The Undo that was pressed is gone with its toast; reading goes on at the page.
  document.addEventListener("htmx:afterSettle", (event) => {
    const pressed = event.detail.requestConfig?.elt.closest("[data-toast]");
    if (pressed && document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], :popover-open"))
      return;
    const last = [...region.querySelectorAll("[data-toast]:not([data-leaving])")].pop();
    if (last) leave(last);
  });
}
