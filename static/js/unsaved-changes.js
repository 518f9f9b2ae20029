// Asks before a person leaves a changed form with data-unsaved. A form with data-saves-next can be saved first: its field
// `next` tells the server which page follows. Ctrl-S saves such a form.
import { opensNewTab } from "./dom.js";

const dialog = document.getElementById("unsaved");
const IGNORED = ["csrfmiddlewaretoken", "operation", "revision", "version"];
const savedStates = new WeakMap();
let isLeaving = false;

function readState(form) {
  const pairs = [...new FormData(form)].filter(([name]) => !IGNORED.includes(name));
  return JSON.stringify(pairs.map(([name, value]) => [name, value instanceof File ? value.name : value]));
}

function saveStates() {
  for (const form of document.querySelectorAll("form[data-unsaved]")) {
    if (!savedStates.has(form)) savedStates.set(form, readState(form));
  }
}

// A form that came back with errors, or with its rows moved, contains changes that are not saved.
function isChanged(form) {
  if (form.dataset.unsaved === "changed" || form.querySelector("[data-errors]")) return true;
  return savedStates.has(form) && savedStates.get(form) !== readState(form);
}

const unsavedForms = () =>
  [...document.querySelectorAll("form[data-unsaved]")].filter(
    (form) => !("sending" in form.dataset) && isChanged(form),
  );

saveStates();
document.addEventListener("htmx:afterSettle", saveStates);

window.addEventListener("beforeunload", (event) => {
  if (!isLeaving && unsavedForms().length) event.preventDefault();
});

window.addEventListener("pageshow", () => {
  isLeaving = false;
});

// The server redirects, so it has saved the form.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = event.detail;
  if (["HX-Redirect", "HX-Location", "HX-Refresh"].some((name) => xhr.getResponseHeader(name))) isLeaving = true;
});

function saveThenOpen(form, url) {
  const next = document.createElement("input");
  next.type = "hidden";
  next.name = "next";
  next.value = url;
  form.append(next);
  form.addEventListener("htmx:afterRequest", () => next.remove(), { once: true });
  form.requestSubmit();
}

function confirmThen(leave, url = "") {
  const forms = unsavedForms();
  const canSave = url !== "" && forms.length === 1 && "savesNext" in forms[0].dataset;
  dialog.querySelector("[data-save-next]").hidden = !canSave;
  dialog.returnValue = "";
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue === "leave") leave();
      else if (dialog.returnValue === "save") saveThenOpen(forms[0], url);
    },
    { once: true },
  );
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "s") return;
  const form = document.querySelector("form[data-saves-next]");
  if (!form || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (!("sending" in form.dataset)) form.requestSubmit();
});

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest("a[href]");
    if (!link || !dialog || opensNewTab(event)) return;
    const staysOnPage =
      link.target ||
      link.hasAttribute("download") ||
      link.dataset.dialog ||
      "staysOnPage" in link.dataset ||
      link.getAttribute("href").startsWith("#") ||
      link.hasAttribute("hx-get");
    if (staysOnPage || !unsavedForms().length) return;
    event.preventDefault();
    event.stopPropagation();
    const { origin, pathname, search, hash } = new URL(link.href, location.href);
    const open = () => {
      isLeaving = true;
      location.assign(link.href);
    };
    confirmThen(open, origin === location.origin ? pathname + search + hash : "");
  },
  true,
);

// A swap that would remove a changed form, unless it is the response to that form.
document.addEventListener("htmx:confirm", (event) => {
  const { target, elt } = event.detail;
  const isLost =
    dialog && target && unsavedForms().some((form) => target.contains(form) && form !== elt.closest("form"));
  if (!isLost) return;
  event.preventDefault();
  confirmThen(() => event.detail.issueRequest(true));
});
