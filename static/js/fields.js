// Small helps in fields: show a password, count what is left, jump from the summary to the field.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal] button");
  if (button) {
    const input = button.parentElement.querySelector("input");
    const shown = input.type === "password";
    input.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
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

// A password is sent as one, so that the browser offers to keep it.
document.addEventListener("submit", (event) => {
  for (const input of event.target.querySelectorAll("[data-reveal] input[type=text]")) {
    input.type = "password";
    input.parentElement.querySelector("button").setAttribute("aria-pressed", "false");
  }
});

function count(output) {
  const area = document.getElementById(output.htmlFor.value);
  if (!area || area.maxLength < 0) return;
  const left = area.maxLength - area.value.length;
  output.textContent = (left === 1 ? output.dataset.one : output.dataset.many).replace(
    "#",
    left.toLocaleString(document.documentElement.lang),
  );
}

const countAll = () => document.querySelectorAll("[data-counter]").forEach(count);

document.addEventListener("input", (event) => {
  const output = event.target.id && document.querySelector(`[data-counter][for="${CSS.escape(event.target.id)}"]`);
  if (output) count(output);
});
document.addEventListener("htmx:afterSettle", countAll);
countAll();
