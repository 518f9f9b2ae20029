// A form with data-keep-choices takes the next word at once. Words are sent one after another, and the page is replaced in
// place afterwards: loading it again would lose what is typed meanwhile.
import { dispatchInput, parseHtml } from "./dom.js";

const waiting = [];
let failed = [];
let sending = null;

const getForm = () => document.querySelector("form[data-keep-choices]");
const getField = (form) => form.querySelector("input:not([type=hidden])");
const getWord = (values) => values.find(([name]) => name === "word")?.[1] ?? "";

function sendNext() {
  const form = getForm();
  if (!form || sending || !waiting.length) return;
  sending = { values: waiting.shift(), xhr: null };
  send("POST", form, sending.values);
}

// The parameters are set when the request is configured: htmx would add the current values of the form.
function send(verb, form, values) {
  form.addEventListener(
    "htmx:configRequest",
    (event) => {
      const { parameters } = event.detail;
      for (const name of Object.keys(parameters)) delete parameters[name];
      for (const [name, value] of values) parameters[name] = value;
    },
    { once: true },
  );
  // `connection.js` reports a request that fails.
  htmx.ajax(verb, form.getAttribute("action"), { source: form })?.catch(() => {});
}

function showFailed() {
  const list = getForm()?.querySelector("[data-failed-words]");
  if (!list) return;
  list.hidden = !failed.length;
  list.replaceChildren(
    ...failed.map(({ word, problem }) => {
      const line = document.createElement("p");
      const text = list.dataset.failedWords.replace("%word%", () => word).replace("%problem%", () => problem);
      const edit = Object.assign(document.createElement("button"), { type: "button", className: "button" });
      edit.textContent = list.dataset.editLabel;
      edit.addEventListener("click", () => {
        failed = failed.filter((each) => each.word !== word);
        showFailed();
        const field = getField(getForm());
        field.value = word;
        dispatchInput(field);
        field.focus();
      });
      line.append(text, edit);
      return line;
    }),
  );
}

// Before `submit-once.js`, which refuses a form that is being sent.
window.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!form.matches("form[data-keep-choices]") || !window.htmx) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const field = getField(form);
    const isIdle = !sending && !waiting.length;
    failed = [];
    showFailed();
    if (field.value.trim() || isIdle) waiting.push([...new FormData(form, event.submitter)]);
    if (field.value) {
      field.value = "";
      dispatchInput(field);
    }
    sendNext();
  },
  true,
);

const isSent = (event, verb) =>
  event.detail.requestConfig?.verb === verb && event.detail.requestConfig.elt.matches("form[data-keep-choices]");

function finish(form) {
  sending = null;
  if (waiting.length) sendNext();
  else send("GET", form, []);
}

document.addEventListener("htmx:beforeSend", (event) => {
  if (isSent(event, "post") && sending) sending.xhr = event.detail.xhr;
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, elt } = event.detail;
  if (!sending || xhr !== sending.xhr) return;
  if (xhr.getResponseHeader("HX-Redirect") !== null) {
    event.preventDefault();
    finish(elt);
  } else if (xhr.status === 422 && (waiting.length || getField(elt).value)) {
    event.preventDefault();
    const problem =
      parseHtml(xhr.responseText).querySelector("form[data-keep-choices] .error")?.textContent.trim() ?? "";
    failed.push({ word: getWord(sending.values), problem });
    finish(elt);
  } else if (xhr.status === 422) {
    // The answer contains the word with its error.
    sending = null;
  }
});

// A word that did not arrive goes back into the field, or into the line if another one is being typed. Sending the
// form again sends all of them.
document.addEventListener("htmx:afterRequest", (event) => {
  if (!sending || event.detail.xhr !== sending.xhr) return;
  const { values } = sending;
  sending = null;
  const field = getField(getForm());
  if (field.value) waiting.unshift(values);
  else field.value = getWord(values);
});

// The page after the next word replaces this one.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (isSent(event, "get") && sending) event.detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id === "main") showFailed();
});
