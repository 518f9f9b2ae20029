// A page that drives a job requests each next step. After a failure it tries again, with a longer wait each time.
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
let wait = FIRST_WAIT;

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches("[data-run-job]")) return;
  if (event.detail.successful) {
    wait = FIRST_WAIT;
    return;
  }
  const { status } = event.detail.xhr;
  // Another attempt does not help a person who is signed out or not allowed.
  if (status && status < 500 && status !== 429) return;
  setTimeout(() => form.isConnected && htmx.trigger(form, "again"), wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
});
