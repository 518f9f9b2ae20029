// Long work: a page asks for the next piece by itself. After a failure it asks again, less and less often.
const MOST = 30000;
let wait = 1000;

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  if (!form.matches("[data-drives]")) return;
  if (event.detail.successful) {
    wait = 1000;
    return;
  }
  const { status } = event.detail.xhr;
  if (status && status < 500 && status !== 429) return; // Signed out, not allowed, gone: asking again changes nothing.
  setTimeout(() => form.isConnected && htmx.trigger(form, "again"), wait);
  wait = Math.min(wait * 2, MOST);
});
