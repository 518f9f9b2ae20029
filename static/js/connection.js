// A bar for offline, lost and slow requests. It keeps what was typed and offers to try again.
const SLOW_AFTER = 5000;
const bar = document.getElementById("connection");
const slowTimers = new Map();
let failedRequest = null;

function show(state, canRetry) {
  bar.querySelector("p").textContent = bar.dataset[state];
  bar.dataset.state = state;
  bar.querySelector("button").hidden = !canRetry;
  bar.hidden = false;
}

function hide(...states) {
  if (!states.length || states.includes(bar.dataset.state)) bar.hidden = true;
}

function showFailure(event, state) {
  failedRequest = event.detail.requestConfig;
  show(state, true);
}

function retry() {
  const request = failedRequest;
  failedRequest = null;
  hide();
  if (!request?.elt.isConnected) return location.reload();
  const { elt, verb, path, target, triggeringEvent } = request;
  // The form carries the same command id: if the first request did arrive, the command is not executed twice.
  if (elt.matches("form")) elt.requestSubmit(triggeringEvent?.submitter ?? undefined);
  else htmx.ajax(verb, path, { source: elt, target });
}

if (bar) {
  bar.querySelector("button").addEventListener("click", retry);

  window.addEventListener("offline", () => show("offline", false));
  window.addEventListener("online", () => {
    if (failedRequest) show("back", true);
    else hide();
  });
  if (!navigator.onLine) show("offline", false);

  // Without htmx the browser would show its own error page, and what was typed would be lost.
  window.addEventListener("submit", (event) => {
    if (navigator.onLine || event.target.method === "dialog" || event.defaultPrevented) return;
    event.preventDefault();
    show("offline", false);
  });

  document.addEventListener("htmx:sendError", (event) => showFailure(event, navigator.onLine ? "lost" : "offline"));
  document.addEventListener("htmx:timeout", (event) => showFailure(event, "lost"));
  document.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    if (status >= 500 && status !== 503) showFailure(event, "failed");
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    slowTimers.set(
      event.detail.xhr,
      setTimeout(() => show("slow", false), SLOW_AFTER),
    );
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    clearTimeout(slowTimers.get(event.detail.xhr));
    slowTimers.delete(event.detail.xhr);
    if (!slowTimers.size) hide("slow");
    if (event.detail.successful) hide("lost", "failed", "back");
  });
}
