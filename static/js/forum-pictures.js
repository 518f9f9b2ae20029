// Pictures of posts: a link loads the picture into the card. Without this script it opens the picture.
import { opensNewTab, parseHtml } from "./dom.js";

// One picture at a time: the server limits how many it fetches at once for a person.
let queue = Promise.resolve();

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-show-picture]");
  if (!link || opensNewTab(event)) return;
  event.preventDefault();
  if (link.ariaBusy === "true") return;
  link.ariaBusy = "true";
  link.textContent = link.dataset.loading;
  queue = queue.then(() => showPicture(link)).catch(() => {});
});

async function showPicture(link) {
  if (!link.isConnected) return;
  const response = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  const signInUrl = response?.headers.get("HX-Redirect");
  if (signInUrl) {
    location.assign(signInUrl);
    return;
  }
  const isPicture = response?.ok && response.headers.get("Content-Type")?.startsWith("image/");
  // The whole content has to arrive, so that the browser's cache has it for the `img`.
  const content = await (isPicture ? response.blob() : response?.text())?.catch(() => null);
  if (isPicture && content) fillPlace(link);
  else showProblem(link, content ?? "");
}

function fillPlace(link) {
  const place = link.closest("[data-picture]");
  const shown = place.querySelector("template").content.cloneNode(true);
  const box = shown.querySelector("[data-reveal]");
  const hadFocus = link === document.activeElement;
  shown.querySelector("img").src = link.href;
  place.replaceChildren(shown);
  if (hadFocus) box.focus({ preventScroll: true });
}

function showProblem(link, html) {
  const { again, failed } = link.dataset;
  const problem = parseHtml(html).querySelector("[data-picture-problem]");
  link.closest("[data-picture]").querySelector("[data-picture-problem]").textContent = problem?.textContent || failed;
  link.textContent = again;
  link.ariaBusy = null;
}
