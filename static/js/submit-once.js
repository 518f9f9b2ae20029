// A form is sent once: its buttons are disabled until the response arrives.
const getButtons = (form) => [...form.elements].filter((element) => element.matches("button"));

function disable(form, submitter) {
  form.dataset.sending = "";
  for (const button of getButtons(form)) if (button.type === "submit") button.setAttribute("aria-disabled", "true");
  if (submitter) submitter.dataset.busy = "";
}

function enable(form) {
  delete form.dataset.sending;
  for (const button of getButtons(form)) {
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

// A form that the browser sends itself: htmx has prevented the event of its own forms by now. A download does not
// replace the page, so its form would stay disabled.
window.addEventListener("submit", (event) => {
  if ("downloads" in event.target.dataset) return;
  if (event.target.method === "post" && !event.defaultPrevented) disable(event.target, event.submitter);
});

document.addEventListener("htmx:beforeSend", (event) => {
  const { elt, requestConfig } = event.detail;
  if (elt.matches("form") && requestConfig.verb !== "get") disable(elt, requestConfig.triggeringEvent?.submitter);
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt.matches("form")) enable(event.detail.elt);
});

// After Back the browser may restore the page with its disabled forms.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form[data-sending]").forEach(enable);
});
