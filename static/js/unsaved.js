// Leaving a changed form asks first. A form takes part with data-unsaved.
const ask = document.getElementById("unsaved");
const IGNORED = ["csrfmiddlewaretoken", "operation", "version"];
const before = new WeakMap();
let leaving = false;

function state(form) {
  const pairs = [...new FormData(form)].filter(([name]) => !IGNORED.includes(name));
  return JSON.stringify(pairs.map(([name, value]) => [name, value instanceof File ? value.name : value]));
}

function remember() {
  for (const form of document.querySelectorAll("form[data-unsaved]"))
    if (!before.has(form)) before.set(form, state(form));
}

// A form that came back with errors, or with its rows moved, holds what was typed: that is not saved either.
const changed = (form) =>
  form.dataset.unsaved === "changed" ||
  form.querySelector("[data-errors]") !== null ||
  (before.has(form) && before.get(form) !== state(form));
const unsaved = () =>
  [...document.querySelectorAll("form[data-unsaved]")].filter((form) => !("sending" in form.dataset) && changed(form));

remember();
document.addEventListener("htmx:afterSettle", remember);

window.addEventListener("beforeunload", (event) => {
  if (!leaving && unsaved().length) event.preventDefault();
});

window.addEventListener("pageshow", () => {
  leaving = false;
});

// The server sends the person on: what was typed has arrived.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = event.detail;
  if (["HX-Redirect", "HX-Location", "HX-Refresh"].some((name) => xhr.getResponseHeader(name))) leaving = true;
});

function confirmed(go) {
  ask.returnValue = "";
  ask.addEventListener(
    "close",
    () => {
      if (ask.returnValue === "leave") go();
    },
    { once: true },
  );
  ask.showModal();
}

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !ask || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const stays =
      link.target ||
      link.hasAttribute("download") ||
      link.dataset.dialog ||
      "stays" in link.dataset ||
      link.getAttribute("href").startsWith("#") ||
      link.hasAttribute("hx-get");
    if (stays || !unsaved().length) return;
    event.preventDefault();
    event.stopPropagation();
    confirmed(() => {
      leaving = true;
      location.assign(link.href);
    });
  },
  true,
);

// A swap that would take a changed form with it, other than its own answer.
document.addEventListener("htmx:confirm", (event) => {
  const { target, elt } = event.detail;
  const lost = ask && target && unsaved().some((form) => target.contains(form) && form !== elt.closest("form"));
  if (!lost) return;
  event.preventDefault();
  confirmed(() => event.detail.issueRequest(true));
});
