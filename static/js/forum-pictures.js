// Pictures of posts: a link loads the picture into the card. Without this script it opens the picture. A picture
// without blur stays so while the tab is open, also when its card is replaced; a click opens it at large size.
import { opensNewTab, parseHtml } from "./dom.js";

const CLEAR = "clear-pictures";
const MOST_REMEMBERED = 500;
// The pictures that the person asked for on this page.
const requested = new Set();

// Without the key, which changes with the address of the picture.
const getName = (url) => new URL(url, location.href).pathname;
const readClear = () => JSON.parse(sessionStorage.getItem(CLEAR) ?? "[]");

function rememberClear(name) {
  const names = [...new Set([...readClear(), name])].slice(-MOST_REMEMBERED);
  sessionStorage.setItem(CLEAR, JSON.stringify(names));
}

// One picture at a time: the server limits how many it fetches at once for a person.
let queue = Promise.resolve();

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-show-picture]");
  if (!link || opensNewTab(event)) return;
  event.preventDefault();
  if (link.ariaBusy === "true") return;
  requested.add(getName(link.href));
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
  if (readClear().includes(getName(link.href))) box.checked = true;
  if (box.checked) labelAsLink(box);
  place.replaceChildren(shown);
  if (hadFocus) box.focus({ preventScroll: true });
}

function showProblem(link, html) {
  const { retryText, failed } = link.dataset;
  const problem = parseHtml(html).querySelector("[data-picture-problem]");
  link.closest("[data-picture]").querySelector("[data-picture-problem]").textContent = problem?.textContent || failed;
  link.textContent = retryText;
  link.ariaBusy = null;
}

// --- Blur and size -------------------------------------------------------------------------------
const getPicture = (box) => box.closest("label").querySelector("img");

function labelAsLink(box) {
  box.ariaLabel = `${box.dataset.enlarge}: ${getPicture(box).alt}`;
}

// The first click removes the blur. Further clicks would bring it back: they open the picture instead.
document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof Element) || !box.matches("[data-reveal]")) return;
  const picture = getPicture(box);
  if (box.checked) {
    rememberClear(getName(picture.src));
    labelAsLink(box);
    return;
  }
  event.preventDefault();
  const dialog = document.getElementById("picture-dialog");
  const large = dialog?.querySelector("img");
  if (!large) return;
  large.src = picture.src;
  large.alt = picture.alt;
  dialog.addEventListener("close", () => box.focus({ preventScroll: true }), { once: true });
  dialog.showModal();
});

// A card that was replaced shows the pictures that the person had asked for; the browser still has them.
document.addEventListener("htmx:afterSettle", () => {
  for (const link of document.querySelectorAll("[data-show-picture]:not([aria-busy])"))
    if (requested.has(getName(link.href))) link.click();
});
