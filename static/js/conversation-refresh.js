// Refreshes lists and pages of conversations that stay open. A part that a person uses waits.
import { sendMark } from "./refresh.js";

const EVERY = 10000;

const getParts = () => [...document.querySelectorAll("[data-conversation-part]")];
let refreshedAt = Date.now();

function hasText(part) {
  return [...part.querySelectorAll("textarea")].some((field) => field.value.trim() !== "");
}

function refresh() {
  const parts = getParts();
  const isWaiting = document.hidden || Date.now() - refreshedAt < EVERY;
  if (!parts.length || isWaiting || document.querySelector("dialog[open], :popover-open, .htmx-request")) return;
  refreshedAt = Date.now();
  for (const part of parts) {
    if (!part.contains(document.activeElement) && !hasText(part)) htmx.trigger(part, "conversation:look");
  }
}

// The newest message is at the end.
function showLast() {
  const messages = document.querySelector(".messages");
  if (messages) messages.scrollTop = messages.scrollHeight;
}

setInterval(refresh, 1000);
document.addEventListener("visibilitychange", refresh);
document.addEventListener("htmx:configRequest", (event) => {
  for (const part of getParts()) sendMark(event, part);
});
document.addEventListener("htmx:afterSettle", showLast);
document.addEventListener("DOMContentLoaded", showLast);
