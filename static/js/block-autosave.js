// Unsaved work is sent by one request after the other. What was typed during a request is sent after it.
import { dispatchInput } from "./dom.js";

let isTyped = false;

document.addEventListener("input", (event) => {
  if (event.target.closest("form[data-blocks-form]")) isTyped = true;
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (event.target.matches("[data-autosave]")) isTyped = false;
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.matches?.("[data-autosave]") && event.detail.successful && isTyped) dispatchInput(event.target);
});
