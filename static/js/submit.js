// A form is sent once: further presses wait for the answer.
const buttons = (form) => [...form.elements].filter((element) => element.matches("button"));

function busy(form, pressed) {
  form.dataset.sending = "";
  for (const button of buttons(form)) if (button.type === "submit") button.setAttribute("aria-disabled", "true");
  if (pressed) pressed.dataset.busy = "";
}

function free(form) {
  delete form.dataset.sending;
  for (const button of buttons(form)) {
    button.removeAttribute("aria-disabled");
    delete button.dataset.busy;
  }
}

window.addEventListener(
  "submit",
  (event) => {
    if (!("sending" in event.target.dataset)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// A plain form; one that htmx sends is prevented by now. After a download the page stays, and no answer frees it.
window.addEventListener("submit", (event) => {
  if ("downloads" in event.target.dataset) return;
  if (event.target.method === "post" && !event.defaultPrevented) busy(event.target, event.submitter);
});

document.addEventListener("htmx:beforeSend", (event) => {
  const { elt, requestConfig } = event.detail;
  if (elt.matches("form") && requestConfig.verb !== "get") busy(elt, requestConfig.triggeringEvent?.submitter);
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.matches("form")) free(event.detail.elt);
});

// Back in history, a page comes as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sending]").forEach(free);
});
