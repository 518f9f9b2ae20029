// A look is redrawn while it is typed: the server makes the stylesheet, nothing is saved.
const WAIT = 150;
const COLOR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;
// The last thing that was a colour in each field: half a word changes nothing.
const good = new WeakMap();
let timer = 0;
let drawn = "";

const stage = () => document.querySelector("[data-stage]");
const form = () => document.querySelector("form[data-preview]");
const draft = () => stage()?.querySelector("[data-draft] iframe");

function value(field) {
  if (!field.closest(".color")) return field.value;
  if (COLOR.test(field.value)) good.set(field, field.value);
  return good.get(field) ?? field.defaultValue;
}

function look() {
  const said = new URLSearchParams();
  for (const field of form()?.querySelectorAll("[data-token]") ?? []) said.set(field.name, value(field));
  for (const field of form()?.querySelectorAll("[data-file]:checked") ?? []) said.set(field.name, field.value);
  return said;
}

// The new stylesheet stands before the old one goes: nothing flickers, and a late answer never wins.
function restyle(frame, href) {
  const links = [...(frame.contentDocument?.querySelectorAll("link[data-brand]") ?? [])];
  const last = links.at(-1);
  if (!last || last.getAttribute("href") === href) return;
  const next = last.cloneNode();
  next.href = href;
  next.addEventListener("load", () => {
    for (const link of [...frame.contentDocument.querySelectorAll("link[data-brand]")]) {
      if (link === next) break;
      link.remove();
    }
  });
  next.addEventListener("error", () => next.remove());
  last.after(next);
}

function show(frame, address) {
  if (!frame) return;
  const page = frame.contentWindow;
  const top = page.scrollY;
  frame.addEventListener("load", () => frame.contentWindow.scrollTo({ top, behavior: "instant" }), { once: true });
  page.location.replace(address);
}

function redraw(files) {
  drawn = look().toString();
  if (files) show(draft(), screenAddress(stage().dataset.previewUrl, drawn));
  else restyle(draft(), `${stage().dataset.cssUrl}?${drawn}`);
}

function screenAddress(url, said = "") {
  return `${url}?screen=${stage().dataset.screen}${said && "&"}${said}`;
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("form[data-preview] :is([data-token], [data-file])") || !stage()) return;
  const files = event.target.matches("[data-file]");
  clearTimeout(timer);
  timer = setTimeout(() => redraw(files), WAIT);
});

// One click puts the readable colour into its field, as if it had been typed.
document.addEventListener("click", (event) => {
  const button = event.target.closest("form[data-preview] button[name=fix]");
  if (!button) return;
  event.preventDefault();
  const [name, color] = button.value.split("=");
  const field = button.form.elements[name];
  field.value = color;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// The panel asks about what the preview shows.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt.id !== "contrast") return;
  const said = look();
  for (const name of Object.keys(event.detail.parameters)) event.detail.parameters[name] = said.get(name);
});

// The button that was pressed may be gone with the answer: whoever pressed it stays where they were.
let inside = false;
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "contrast") inside = event.detail.target.contains(document.activeElement);
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "contrast" || !inside) return;
  if (!event.detail.target.contains(document.activeElement))
    document.getElementById("contrast-said").focus({ preventScroll: true });
  inside = false;
});

// Said once: the same words again are no news.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id === "contrast-said" && target.textContent.trim() === fragment.textContent.trim())
    event.detail.shouldSwap = false;
});

const choose = {
  screen(value) {
    stage().dataset.screen = value;
    for (const pane of stage().querySelectorAll(".pane")) {
      const frame = pane.querySelector("iframe");
      const url = new URL(frame.src);
      const said = pane.matches("[data-draft]") ? drawn : "";
      frame.contentWindow.location.replace(screenAddress(url.pathname, said));
    }
  },
  width(value) {
    for (const box of stage().querySelectorAll("[data-frame]")) box.dataset.width = value;
  },
  view(value) {
    const panes = stage().querySelector(".panes");
    panes.dataset.view = value;
    panes.querySelector("[data-live]").hidden = value === "draft";
    stage().querySelector("[data-split-form]").hidden = value !== "overlay";
    cut();
  },
};

function mark(what, value) {
  for (const link of stage().querySelectorAll(`[data-choose="${what}"]`)) {
    if (link.dataset.value === value) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function remember(what, value) {
  const url = new URL(location.href);
  url.searchParams.set(what, value);
  history.replaceState(history.state, "", url);
  for (const link of stage().querySelectorAll("[data-choose]")) {
    const there = new URL(link.href);
    if (link.dataset.choose !== what) there.searchParams.set(what, value);
    link.href = there.pathname + there.search;
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-stage] [data-choose]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { choose: what, value } = link.dataset;
  choose[what](value);
  mark(what, value);
  remember(what, value);
});

function cut() {
  const panes = stage().querySelector(".panes");
  const upper = panes.querySelector("[data-draft]");
  const at = stage().querySelector("[data-split-at]")?.value;
  upper.style.clipPath = panes.dataset.view === "overlay" ? `inset(0 0 0 ${at}%)` : "";
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-split-at]")) cut();
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-split-form]")) event.preventDefault();
});

// Whoever follows a link inside the frame keeps what they typed, and the tabs follow.
document.addEventListener(
  "load",
  (event) => {
    if (!event.target.matches?.("[data-stage] iframe")) return;
    const screen = new URLSearchParams(event.target.contentWindow.location.search).get("screen");
    if (event.target === draft()) {
      if (drawn) restyle(draft(), `${stage().dataset.cssUrl}?${drawn}`);
      if (screen && screen !== stage().dataset.screen) {
        stage().dataset.screen = screen;
        const live = stage().querySelector("[data-live] iframe");
        if (live) live.contentWindow.location.replace(screenAddress(new URL(live.src).pathname));
        mark("screen", screen);
        remember("screen", screen);
      }
    }
  },
  true,
);

document.addEventListener("htmx:load", (event) => {
  const found = event.detail.elt.querySelector("[data-stage]");
  if (!found) return;
  drawn = form()?.querySelector("[data-errors]") ? look().toString() : "";
  // A phone shows what a phone would show.
  if (!new URLSearchParams(location.search).has("width") && found.clientWidth < 560) {
    choose.width("375");
    mark("width", "375");
  }
});
