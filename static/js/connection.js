// Offline, lost and slow requests: a quiet bar that keeps what was typed and offers to try again.
const bar = document.getElementById("connection");
const SLOW = 5000;
let failed = null;
const waiting = new Map();

function say(state, retry) {
  bar.querySelector("p").textContent = bar.dataset[state];
  bar.dataset.state = state;
  bar.querySelector("button").hidden = !retry;
  bar.hidden = false;
}

function hush(...states) {
  if (!states.length || states.includes(bar.dataset.state)) bar.hidden = true;
}

function again() {
  const config = failed;
  failed = null;
  hush();
  if (!config) return location.reload();
  const { elt, verb, path, target, triggeringEvent } = config;
  if (!elt.isConnected) return location.reload();
  // A form is sent as it was, with the same operation: if it had arrived after all, it is not done twice.
  if (elt.matches("form")) elt.requestSubmit(triggeringEvent?.submitter ?? undefined);
  else htmx.ajax(verb, path, { source: elt, target });
}

if (bar) {
  bar.querySelector("button").addEventListener("click", again);

  window.addEventListener("offline", () => say("offline", false));
  window.addEventListener("online", () => {
    if (failed) say("back", true);
    else hush();
  });
  if (!navigator.onLine) say("offline", false);

  // A plain form would leave for the browser's error page, and what was typed with it.
  window.addEventListener("submit", (event) => {
    if (navigator.onLine || event.target.method === "dialog" || event.defaultPrevented) return;
    event.preventDefault();
    say("offline", false);
  });

  document.addEventListener("htmx:sendError", (event) => {
    failed = event.detail.requestConfig;
    say(navigator.onLine ? "lost" : "offline", true);
  });
  document.addEventListener("htmx:timeout", (event) => {
    failed = event.detail.requestConfig;
    say("lost", true);
  });
  document.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (status < 500 || status === 503) return;
    failed = event.detail.requestConfig;
    say("failed", true);
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    waiting.set(
      event.detail.xhr,
      setTimeout(() => say("slow", false), SLOW),
    );
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    clearTimeout(waiting.get(event.detail.xhr));
    waiting.delete(event.detail.xhr);
    if (!waiting.size) hush("slow");
    if (event.detail.successful) hush("lost", "failed", "back");
  });
}
