// A page that comes anew after a step goes on where it was: what stands in a field with data-keep stays for that one
// page, a form with data-again is ready for the next word, chosen as the last one, and a row that was changed in a dialog
// has the focus.
const KEY = "again";
const chosen = (form) => [...form.querySelectorAll("select")].map((select) => [select.name, select.value]);
const fields = () => [...document.querySelectorAll("[data-keep]")];
let again = null;
let row = null;

function keep() {
  const kept = fields()
    .filter((field) => field.value)
    .map((field) => [field.id, field.value]);
  if (kept.length || again || row)
    sessionStorage.setItem(KEY, JSON.stringify({ path: location.pathname, kept, again, row }));
}

function goOn() {
  const left = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  sessionStorage.removeItem(KEY);
  if (left?.path !== location.pathname) return;
  for (const [id, value] of left.kept) {
    const field = document.getElementById(id);
    if (!field || field.value) continue;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  [...document.querySelectorAll(".row-link")].find((link) => link.getAttribute("href") === left.row)?.focus();
  const form = left.again && document.querySelector("form[data-again]");
  if (!form) return;
  for (const [name, value] of left.again) if (form.elements[name]) form.elements[name].value = value;
  form.querySelector("input:not([type=hidden])").focus();
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = event.detail;
  if (xhr.getResponseHeader("HX-Redirect") === null) return;
  again = elt.matches("form[data-again]") ? chosen(elt) : null;
  row = elt.matches("dialog form") ? elt.getAttribute("action") : null;
});

// A step back replaces what is there without leaving the page.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "main") keep();
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "main") goOn();
});
window.addEventListener("pagehide", keep);
// htmx is ready once the page is.
window.addEventListener("load", goOn);
