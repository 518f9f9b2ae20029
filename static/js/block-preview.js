// The preview next to the form: the server renders what is typed, and the frame takes what changed.
const TYPING_WAIT = 400;
// A long page waits longer, so that the preview does not take the time of those who type.
const WAIT_PER_WORK = 6;
let wait = TYPING_WAIT;
let timer = 0;
let latest = 0;

async function refreshPreview(form) {
  const frame = document.querySelector("[data-page-preview] iframe");
  if (!frame?.checkVisibility() || !frame.contentDocument) return;
  latest += 1;
  const request = latest;
  try {
    const response = await fetch(frame.getAttribute("src"), { method: "POST", body: new FormData(form) });
    if (!response.ok || request !== latest) return;
    const text = await response.text();
    const start = performance.now();
    const next = new DOMParser().parseFromString(text, "text/html");
    replaceChanged(frame.contentDocument.body, next.body);
    wait = Math.max(TYPING_WAIT, (performance.now() - start) * WAIT_PER_WORK);
  } catch {
    // The connection is shown elsewhere; the preview follows with the next change.
  }
}

// What is the same at the start and at the end stays; the frame lays out only the rest again.
function replaceChanged(element, next) {
  const [old, fresh] = [[...element.childNodes], [...next.childNodes]];
  let [start, end] = [0, 0];
  while (start < Math.min(old.length, fresh.length) && old[start].isEqualNode(fresh[start])) start += 1;
  const rest = Math.min(old.length, fresh.length) - start;
  while (end < rest && old.at(-1 - end).isEqualNode(fresh.at(-1 - end))) end += 1;
  const [removed, added] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const isOne = removed.length === 1 && added.length === 1 && removed[0].nodeName === added[0].nodeName;
  if (isOne && removed[0].childElementCount && removed[0].cloneNode().isEqualNode(added[0].cloneNode())) {
    replaceChanged(removed[0], added[0]);
    return;
  }
  const place = old[old.length - end] ?? null;
  for (const node of removed) node.remove();
  for (const node of added) element.insertBefore(element.ownerDocument.adoptNode(node), place);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-blocks-form]");
  if (!form) return;
  clearTimeout(timer);
  timer = setTimeout(() => refreshPreview(form), wait);
});

// After a button of a block, the form contains changes that the frame does not show yet.
document.addEventListener("htmx:afterSettle", () => {
  const form = document.querySelector("form[data-blocks-form][data-unsaved='changed']");
  const frame = document.querySelector("[data-page-preview] iframe");
  if (form && frame) frame.addEventListener("load", () => refreshPreview(form), { once: true });
});

// A frame that was hidden does not show what was typed meanwhile.
document.addEventListener("change", (event) => {
  const form = document.querySelector("form[data-blocks-form]");
  if (form && event.target.matches(".pane-choice input")) refreshPreview(form);
});
