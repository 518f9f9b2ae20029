// Saving in the editor of a theme keeps what is typed meanwhile, and the focus, also if the server opens a new draft.
import { dispatchInput } from "./dom.js";

const KEY = "editor-focus";
let sent = null;
let typed = [];

const isEditor = (element) => element?.matches?.("form[data-preview]");
const getForm = () => document.querySelector("form[data-preview]");
const readFields = (form) =>
  [...new FormData(form)].filter(
    ([name, value]) => typeof value === "string" && form.elements[name]?.type !== "hidden",
  );

document.addEventListener("htmx:beforeSend", (event) => {
  if (isEditor(event.detail.elt)) sent = new Map(readFields(event.detail.elt));
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { elt } = event.detail.requestConfig;
  if (!isEditor(elt) || !sent || !document.contains(elt)) return;
  typed = readFields(elt).filter(([name, value]) => sent.get(name) !== value);
  sent = null;
});

document.addEventListener("htmx:afterSettle", () => {
  const form = typed.length ? getForm() : null;
  if (!form) return;
  for (const [name, value] of typed) {
    const field = form.elements[name];
    if (!field) continue;
    field.value = value;
    dispatchInput(field instanceof RadioNodeList ? [...field].find((each) => each.checked) : field);
  }
  typed = [];
});

// A version that was published is saved as a new draft, which is another page.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const redirect = event.detail.xhr.getResponseHeader("HX-Redirect");
  if (!redirect || !isEditor(event.detail.elt)) return;
  const path = new URL(redirect, location.href).pathname;
  const id = document.activeElement?.id ?? "";
  sessionStorage.setItem(KEY, JSON.stringify({ path, id, scroll: scrollY }));
});

window.addEventListener("load", () => {
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  sessionStorage.removeItem(KEY);
  if (saved?.path !== location.pathname || !getForm()) return;
  scrollTo({ top: saved.scroll, behavior: "instant" });
  document.getElementById(saved.id)?.focus({ preventScroll: true });
});
