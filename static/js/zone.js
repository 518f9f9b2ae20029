// Suggests the browser's time zone, once, when the server asks for it.
const url = document.body.dataset.askZone;
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (url && zone) {
  const headers = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  fetch(url, { method: "POST", headers, body: new URLSearchParams({ timezone: zone }) }).catch(() => {});
}
