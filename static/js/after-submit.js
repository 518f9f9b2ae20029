// Restores a page that loads again after a form was sent: the text in fields with data-keep, the choices and the focus
// of a form with data-again, and the focus of a row that was changed in a dialog.
import { dispatchInput } from "./dom.js";

const KEY = "after-submit";
let formChoices = null;
let changedRow = null;

function save() {
  const fields = [...document.querySelectorAll("[data-keep]")]
    .filter((field) => field.value)
    .map((field) => [field.id, field.value]);
  if (!fields.length && !formChoices && !changedRow) return;
  sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, fields, formChoices, changedRow }));
}

function restore() {
  const saved = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  sessionStorage.removeItem(KEY);
  if (saved?.path !== location.pathname) return;
  for (const [id, value] of saved.fields) {
    const field = document.getElementById(id);
    if (!field || field.value) continue;
    field.value = value;
    dispatchInput(field);
  }
  const links = [...document.querySelectorAll(".row-link")];
  links.find((link) => link.getAttribute("href") === saved.changedRow)?.focus();
  const form = saved.formChoices && document.querySelector("form[data-again]");
  if (!form) return;
  for (const [name, value] of saved.formChoices) if (form.elements[name]) form.elements[name].value = value;
  form.querySelector("input:not([type=hidden])").focus();
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = event.detail;
  if (xhr.getResponseHeader("HX-Redirect") === null) return;
  const selects = elt.matches("form[data-again]") && [...elt.querySelectorAll("select")];
  formChoices = selects ? selects.map((select) => [select.name, select.value]) : null;
  changedRow = elt.matches("dialog form") ? elt.getAttribute("action") : null;
});

// Undo replaces the content without leaving the page.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "main") save();
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "main") restore();
});
window.addEventListener("pagehide", save);
// htmx is ready after the load event.
window.addEventListener("load", restore);
