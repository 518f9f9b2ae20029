// A form that leads back to the page it is on: one stays at the button that was pressed, or at what the form names where
// that button goes, and the page where it was.
const SOON = 15000;

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target.closest?.("[data-stays]");
    if (!form) return;
    const note = {
      path: location.pathname,
      id: form.dataset.stays || event.submitter?.id || "",
      scroll: scrollY,
      at: Date.now(),
    };
    sessionStorage.setItem("stays", JSON.stringify(note));
  },
  true,
);

const note = JSON.parse(sessionStorage.getItem("stays") ?? "null");
sessionStorage.removeItem("stays");
if (note && note.path === location.pathname && Date.now() - note.at < SOON) {
  scrollTo({ top: note.scroll, behavior: "instant" });
  document.getElementById(note.id)?.focus({ preventScroll: true });
}
