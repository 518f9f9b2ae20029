// The form for a booking: another service, provider or day loads other free times, and typing a name finds customers.
import { parseHtml } from "./dom.js";

const SEARCH_WAIT = 300;
let searchTimer = 0;

// Loads a part of the form. The rest of it, and what is typed there meanwhile, stays.
function loadPart(form, source, part) {
  htmx.ajax("POST", form.getAttribute("action"), {
    source,
    target: part,
    select: `${part} > *`,
    swap: "innerHTML",
    values: { do: "look" },
  });
}

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-affects-times]")?.form;
  if (!form) return;
  if (form.method === "get") form.requestSubmit();
  else loadPart(form, form, "#offers");
});

// The options that fit the other choice come first. Their order changes together with the free times.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "offers" || event.detail.xhr.status !== 200) return;
  const page = parseHtml(event.detail.serverResponse);
  for (const select of document.querySelectorAll("#booking-new select[data-affects-times]")) {
    const { value } = select;
    select.replaceChildren(...(page.getElementById(select.id)?.children ?? select.children));
    select.value = value;
  }
});

function findCustomers(field) {
  clearTimeout(searchTimer);
  loadPart(field.form, field, "#people");
}

document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#new-who")) return;
  clearTimeout(searchTimer);
  searchTimer = setTimeout(findCustomers, SEARCH_WAIT, event.target);
});

// Enter searches at once and does not send the form. The arrow key goes to the first customer.
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("#new-who") || !["Enter", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  if (event.key === "Enter") findCustomers(event.target);
  else document.querySelector("#people [name=customer]")?.focus();
});

// Typing a time selects the option for another time.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#start-at")) return;
  const otherTime = event.target.form.querySelector("[name=start][value='']");
  if (otherTime) otherTime.checked = true;
});
