// A count sheet: Enter goes to the next product, and a scanned code to the line of its product.
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const inputs = () => [...document.querySelectorAll("[data-count-input]")];

function edit(input) {
  input.focus();
  input.select();
  input.scrollIntoView({ block: "center" });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches?.("[data-count-input]")) return;
  // The change that leaving the field causes saves the line.
  event.preventDefault();
  const all = inputs();
  const next = all[all.indexOf(event.target) + 1];
  if (next) edit(next);
  else document.querySelector("[data-count-scan] input")?.focus();
});

// The line on the page that a scanned code names. Without one, the form asks the server.
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches("[data-count-scan]")) return;
    const field = event.target.elements.code;
    const code = fold(field.value);
    const line = [...document.querySelectorAll("[data-codes]")].find((row) =>
      row.dataset.codes.split(" ").some((each) => fold(each) === code),
    );
    const input = code && line?.querySelector("[data-count-input]");
    if (!input) return;
    event.preventDefault();
    field.value = "";
    edit(input);
  },
  true,
);

// The line that is replaced after it was saved may hold the focus.
let focused = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const active = document.activeElement;
  focused = event.detail.target?.contains(active) && active.matches("[data-count-input]") ? active.id : null;
});
document.addEventListener("htmx:afterSettle", () => {
  if (focused) document.getElementById(focused)?.focus();
  focused = null;
});
