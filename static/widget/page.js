// The booking page. In a frame it can be closed, says that it is shown, and begins each step at its heading, so that
// screen readers read it. Where the address names no time zone, it is the visitor's own.
if (parent !== window) {
  const close = document.querySelector("[data-close]");
  const tell = (booking) => parent.postMessage({ booking }, "*");
  if (close) {
    close.hidden = false;
    close.addEventListener("click", () => tell("close"));
  }
  addEventListener("keydown", (event) => event.key === "Escape" && tell("close"));
  addEventListener("message", (event) => event.source === parent && event.data?.booking === "ping" && tell("shown"));
  // The next page may take long: the question that this one leaves open is answered.
  addEventListener("pagehide", () => tell("shown"));
  const first = document.querySelector("[autofocus], [role=alert], [role=status], h1");
  if (first) {
    first.tabIndex = -1;
    first.focus();
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !new URL(location.href).searchParams.has("tz")) {
  for (const link of document.querySelectorAll("a[data-step]")) {
    const url = new URL(link.href);
    url.searchParams.set("tz", zone);
    link.href = url;
  }
}

// A form is sent once. After a moment it may be sent again, because its answer may be lost: it is the same command.
const moment = 3000;
addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  setTimeout(() => delete form.dataset.sent, moment);
});
// Back from the next page: the form can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) {
    delete form.dataset.sent;
  }
});
