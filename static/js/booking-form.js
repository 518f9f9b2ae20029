// The form of a booking: another service, provider or day shows other free times.
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-look]")?.form;
  if (!form) return;
  if (form.method === "get") form.requestSubmit();
  // Only the times: what is typed meanwhile stays.
  else htmx.ajax("POST", form.getAttribute("action"), { source: form, target: "#offers", select: "#offers > *", swap: "innerHTML", values: { do: "look" } });
});
// Enter looks for the customer that was typed; the form is sent by its button.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("#new-who")) return;
  event.preventDefault();
  document.getElementById("new-find").click();
});
// Whoever types a time of their own means that one.
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("#start-at")) return;
  const own = event.target.form.querySelector("[name=start][value='']");
  if (own) own.checked = true;
});
