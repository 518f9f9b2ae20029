// Restores a page that loads again after a form was sent: the text in fields with data-keep-text, the choices and the
// focus of a form with data-keep-choices, and the focus of a row that was changed in a dialog.
import { dispatchInput } from "./dom.js";

const KEY = "after-submit";
let isAddingMore = false;
let changedRow = null;

// The form may contain the next word already.
function readChoices() {
  const form = isAddingMore && document.querySelector("form[data-keep-choices]");
  return form
    ? [...form.querySelectorAll("select, input:not([type=hidden])")].map(({ name, value }) => [name, value])
    : null;
}

function save() {
  const formChoices = readChoices();
  const fields = [...document.querySelectorAll("[data-keep-text]")]
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
  const form = saved.formChoices && document.querySelector("form[data-keep-choices]");
  if (!form) return;
  for (const [name, value] of saved.formChoices) if (form.elements[name]) form.elements[name].value = value;
  const { activeElement } = document;
  if (activeElement === document.body || activeElement.closest("form") === form)
    form.querySelector("input:not([type=hidden])").focus();
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr, requestConfig } = event.detail;
  const isRedirected = xhr.getResponseHeader("HX-Redirect") !== null;
  // The answer to an invalid word contains the form with its values.
  if (elt.matches("form[data-keep-choices]") && requestConfig.verb === "post") isAddingMore = isRedirected;
  if (isRedirected) changedRow = elt.matches("dialog form") ? elt.getAttribute("action") : null;
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
