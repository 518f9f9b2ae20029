// A form with data-keep-scroll returns to its own page. This restores the scroll position and focuses the button that
// was pressed, or the element that data-keep-scroll names if the button will be gone.
const KEY = "keep-scroll";
const VALID_FOR = 15000;

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest?.("[data-keep-scroll]");
    if (!form) return;
    const id = form.dataset.keepScroll || event.submitter?.id || "";
    sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, id, scroll: scrollY, time: Date.now() }));
  },
  true,
);

const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
sessionStorage.removeItem(KEY);
if (saved && saved.path === location.pathname && Date.now() - saved.time < VALID_FOR) {
  scrollTo({ top: saved.scroll, behavior: "instant" });
  document.getElementById(saved.id)?.focus({ preventScroll: true });
}
