// A booking is made or moved: another service, provider or day shows other free times, and customers are found.
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-look]")?.form;
  if (!form) return;
  if (form.method === "get") form.requestSubmit();
  // Only the times: what is typed meanwhile stays.
  else
    htmx.ajax("POST", form.getAttribute("action"), {
      source: form,
      target: "#offers",
      select: "#offers > *",
      swap: "innerHTML",
      values: { do: "look" },
    });
});
// What goes with the other choice stands first and is told apart, also where only the times are brought anew.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "offers" || event.detail.xhr.status !== 200) return;
  const fresh = new DOMParser().parseFromString(event.detail.serverResponse, "text/html");
  for (const select of document.querySelectorAll("#booking-new select[data-look]")) {
    const chosen = select.value;
    select.replaceChildren(...(fresh.getElementById(select.id)?.children ?? select.children));
    select.value = chosen;
  }
});

// Customers are found while one types; Enter finds them at once, and the arrow leads to the first. The form is sent by
// its button.
let finding = 0;

function find(field) {
  clearTimeout(finding);
  const form = field.form;
  htmx.ajax("POST", form.getAttribute("action"), {
    source: field,
    target: "#people",
    select: "#people > *",
    swap: "innerHTML",
    values: { do: "look" },
  });
}

document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#new-who")) return;
  clearTimeout(finding);
  finding = setTimeout(find, 300, event.target);
});
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("#new-who") || !["Enter", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  if (event.key === "Enter") find(event.target);
  else document.querySelector("#people [name=customer]")?.focus();
});
// Whoever types a time of their own means that one.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#start-at")) return;
  const own = event.target.form.querySelector("[name=start][value='']");
  if (own) own.checked = true;
});
