// Fields: a button shows a password, a counter shows how many characters are left, and a link in the error summary
// goes to its field.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal] button");
  if (button) {
    const input = button.parentElement.querySelector("input");
    const isHidden = input.type === "password";
    input.type = isHidden ? "text" : "password";
    button.setAttribute("aria-pressed", String(isHidden));
    return;
  }
  const link = event.target.closest(".notice-list a[href^='#']");
  const field = link && document.getElementById(link.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  const input = field.matches("input, select, textarea") ? field : field.querySelector("input, select, textarea");
  input?.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
});

// The browser offers to save a password only from a field of type password.
document.addEventListener("submit", (event) => {
  for (const input of event.target.querySelectorAll("[data-reveal] input[type=text]")) {
    input.type = "password";
    input.parentElement.querySelector("button").setAttribute("aria-pressed", "false");
  }
});

function updateCounter(output) {
  const area = document.getElementById(output.htmlFor.value);
  if (!area || area.maxLength < 0) return;
  const left = area.maxLength - area.value.length;
  output.textContent = (left === 1 ? output.dataset.one : output.dataset.many).replace(
    "#",
    left.toLocaleString(document.documentElement.lang),
  );
}

const updateCounters = () => document.querySelectorAll("[data-counter]").forEach(updateCounter);

document.addEventListener("input", (event) => {
  // Not from the whole document: that takes long on a page with hundreds of fields.
  const output = event.target.closest(".field")?.querySelector("[data-counter]");
  if (output?.htmlFor.value === event.target.id) updateCounter(output);
});
document.addEventListener("htmx:afterSettle", updateCounters);
updateCounters();
