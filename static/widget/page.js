// The booking page: closes its frame, and keeps the visitor's own time zone where the address names none.
if (parent !== window) {
  const close = document.querySelector("[data-close]");
  const tell = () => parent.postMessage({ booking: "close" }, "*");
  if (close) {
    close.hidden = false;
    close.addEventListener("click", tell);
  }
  addEventListener("keydown", (event) => event.key === "Escape" && tell());
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !new URL(location.href).searchParams.has("tz")) {
  for (const link of document.querySelectorAll("a[data-step]")) {
    const url = new URL(link.href);
    url.searchParams.set("tz", zone);
    link.href = url;
  }
}

// A form is sent once.
addEventListener("submit", (event) => {
  if (event.target.dataset.sent) {
    event.preventDefault();
  }
  event.target.dataset.sent = "1";
});
// Back from the next page: the form can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) {
    delete form.dataset.sent;
  }
});
