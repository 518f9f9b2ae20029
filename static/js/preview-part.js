// On a phone the preview shows only a part of the page: the one that the field with the focus changes.
const NARROW_PREVIEW = 560;
const MARGIN = 16;
// The part that the last input changes, until the preview has the new stylesheet.
let changedPart = "";

const getPreview = () => document.querySelector("[data-preview-pane]");
const getFrame = () => getPreview()?.querySelector("[data-draft] iframe");

function scrollToPart(frame, selector) {
  const part = frame.contentDocument?.querySelector(selector);
  if (!part) return false;
  const page = frame.contentWindow;
  const top = part.getBoundingClientRect().top + page.scrollY - MARGIN;
  page.scrollTo({ top, behavior: "instant" });
  return true;
}

// Every part is on the first screen.
function showPart(selector) {
  const frame = getFrame();
  const panes = getPreview()?.querySelector(".panes");
  if (!frame || panes.clientWidth >= NARROW_PREVIEW || scrollToPart(frame, selector)) return;
  frame.addEventListener("load", () => scrollToPart(frame, selector), { once: true });
  const isLoading = frame.contentDocument?.readyState !== "complete";
  if (!isLoading) getPreview().querySelector("[data-choose=screen]").click();
}

for (const type of ["focusin", "input"]) {
  document.addEventListener(type, (event) => {
    const field = event.target.closest?.("form[data-preview] [data-part]");
    if (!field) return;
    showPart(field.dataset.part);
    if (type === "input") changedPart = field.dataset.part;
  });
}

// New spacing or a new size of text moves the part.
document.addEventListener("preview:restyled", () => {
  if (changedPart) showPart(changedPart);
  changedPart = "";
});
