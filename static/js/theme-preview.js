// The preview of a theme changes while its form is edited. The server builds the stylesheet; nothing is saved.
import { dispatchInput, opensNewTab } from "./dom.js";

const INPUT_WAIT = 150;
const COLOR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;
const PHONE_WIDTH = "375";
const NARROW_PREVIEW = 560;
// The last valid colour of each field: the preview keeps it while a person types.
const validColors = new WeakMap();
let timer = 0;
// The theme that the draft shows, as a query string; empty if it is the saved one.
let shownTheme = "";

const getPreview = () => document.querySelector("[data-preview-pane]");
const getForm = () => document.querySelector("form[data-preview]");
const getDraftFrame = () => getPreview()?.querySelector("[data-draft] iframe");
const getStyleLinks = (frame) => [...(frame.contentDocument?.querySelectorAll("link[data-brand]") ?? [])];

function getValue(field) {
  if (!field.closest(".color")) return field.value;
  if (COLOR.test(field.value)) validColors.set(field, field.value);
  return validColors.get(field) ?? field.defaultValue;
}

function readTheme() {
  const theme = new URLSearchParams();
  for (const field of getForm()?.querySelectorAll("[data-token]") ?? []) theme.set(field.name, getValue(field));
  for (const field of getForm()?.querySelectorAll("[data-file]:checked") ?? []) theme.set(field.name, field.value);
  return theme;
}

// The old stylesheet stays until the new one has loaded, so that nothing flickers. A late response never wins.
function replaceStylesheet(frame, href) {
  const current = getStyleLinks(frame).at(-1);
  if (!current || current.getAttribute("href") === href) return;
  const next = current.cloneNode();
  next.href = href;
  next.addEventListener("load", () => {
    for (const link of getStyleLinks(frame)) {
      if (link === next) break;
      link.remove();
    }
    frame.dispatchEvent(new CustomEvent("preview:restyled", { bubbles: true }));
  });
  next.addEventListener("error", () => next.remove());
  current.after(next);
}

function loadFrame(frame, url) {
  if (!frame) return;
  const top = frame.contentWindow.scrollY;
  frame.addEventListener("load", () => frame.contentWindow.scrollTo({ top, behavior: "instant" }), { once: true });
  frame.contentWindow.location.replace(url);
}

const stylesheetUrl = () => {
  const url = getPreview().dataset.cssUrl;
  return `${url}${url.includes("?") ? "&" : "?"}${shownTheme}`;
};

function screenUrl(path, theme = "") {
  return `${path}?screen=${getPreview().dataset.screen}${theme && "&"}${theme}`;
}

// A file is part of the page's HTML; colours and fonts are in the stylesheet.
function updatePreview(hasNewFile) {
  shownTheme = readTheme().toString();
  if (hasNewFile) loadFrame(getDraftFrame(), screenUrl(getPreview().dataset.previewUrl, shownTheme));
  else replaceStylesheet(getDraftFrame(), stylesheetUrl());
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("form[data-preview] :is([data-token], [data-file])") || !getPreview()) return;
  const hasNewFile = event.target.matches("[data-file]");
  clearTimeout(timer);
  timer = setTimeout(() => updatePreview(hasNewFile), INPUT_WAIT);
});

// --- Contrast ---
// The button next to a warning puts the readable colour into its field.
document.addEventListener("click", (event) => {
  const button = event.target.closest("form[data-preview] button[name=fix]");
  if (!button) return;
  event.preventDefault();
  const [name, color] = button.value.split("=");
  const field = button.form.elements[name];
  field.value = color;
  dispatchInput(field);
});

// The contrast is checked for the theme that the preview shows.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.id !== "contrast") return;
  const theme = readTheme();
  for (const name of Object.keys(event.detail.parameters)) event.detail.parameters[name] = theme.get(name);
});

// If the response removes the pressed button, the focus moves to the summary of the contrast check.
let hadFocus = false;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "contrast") hadFocus = event.detail.target.contains(document.activeElement);
});
document.addEventListener("htmx:afterSettle", (event) => {
  const { target } = event.detail;
  if (target.id !== "contrast" || !hadFocus) return;
  if (!target.contains(document.activeElement)) {
    document.getElementById("contrast-said").focus({ preventScroll: true });
  }
  hadFocus = false;
});

// A screen reader does not read an unchanged summary again.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id !== "contrast-said") return;
  if (target.textContent.trim() === fragment.textContent.trim()) event.detail.shouldSwap = false;
});

// --- Screen, width and view ---
const apply = {
  screen(screen) {
    getPreview().dataset.screen = screen;
    for (const pane of getPreview().querySelectorAll(".pane")) {
      const frame = pane.querySelector("iframe");
      const theme = pane.matches("[data-draft]") ? shownTheme : "";
      frame.contentWindow.location.replace(screenUrl(new URL(frame.src).pathname, theme));
    }
  },
  width(width) {
    for (const box of getPreview().querySelectorAll("[data-frame]")) box.dataset.width = width;
  },
  view(view) {
    const panes = getPreview().querySelector(".panes");
    panes.dataset.view = view;
    panes.querySelector("[data-live]").hidden = view === "draft";
    getPreview().querySelector("[data-split-form]").hidden = view !== "overlay";
    clipDraft();
  },
};

function markCurrent(option, value) {
  for (const link of getPreview().querySelectorAll(`[data-choose="${option}"]`)) {
    if (link.dataset.value === value) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// The page's address and the links for the other options contain the choice.
function updateLinks(option, value) {
  const url = new URL(location.href);
  url.searchParams.set(option, value);
  history.replaceState(history.state, "", url);
  for (const link of getPreview().querySelectorAll("[data-choose]")) {
    const target = new URL(link.href);
    if (link.dataset.choose !== option) target.searchParams.set(option, value);
    link.href = target.pathname + target.search;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-preview-pane] [data-choose]");
  if (!link || opensNewTab(event)) return;
  event.preventDefault();
  const { choose: option, value } = link.dataset;
  apply[option](value);
  markCurrent(option, value);
  updateLinks(option, value);
});

// The before/after slider cuts off the left part of the draft, which lies over the live theme. Its handle is on the
// picture, where the two meet.
function clipDraft() {
  const slider = getPreview().querySelector("[data-split-at]");
  if (!slider) return;
  getPreview().querySelector(".panes").style.setProperty("--split", `${slider.value}%`);
  slider.setAttribute("aria-valuetext", slider.dataset.splitText.replace("#", slider.value));
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-split-at]")) clipDraft();
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-split-form]")) event.preventDefault();
});

// After a click on a link inside the draft, the new screen gets the edited theme, and the live frame follows.
document.addEventListener(
  "load",
  (event) => {
    if (!event.target.matches?.("[data-preview-pane] iframe") || event.target !== getDraftFrame()) return;
    const screen = new URLSearchParams(event.target.contentWindow.location.search).get("screen");
    if (shownTheme) replaceStylesheet(event.target, stylesheetUrl());
    if (!screen || screen === getPreview().dataset.screen) return;
    getPreview().dataset.screen = screen;
    const live = getPreview().querySelector("[data-live] iframe");
    if (live) live.contentWindow.location.replace(screenUrl(new URL(live.src).pathname));
    markCurrent("screen", screen);
    updateLinks("screen", screen);
  },
  true,
);

document.addEventListener("htmx:load", (event) => {
  const preview = event.detail.elt.querySelector("[data-preview-pane]");
  if (!preview) return;
  shownTheme = getForm()?.querySelector("[data-errors]") ? readTheme().toString() : "";
  clipDraft();
  // On a phone the preview is as wide as a phone.
  if (!new URLSearchParams(location.search).has("width") && preview.clientWidth < NARROW_PREVIEW) {
    apply.width(PHONE_WIDTH);
    markCurrent("width", PHONE_WIDTH);
  }
});
