// Pages that refresh themselves while they stay open.
export const REFRESH_EVERY = 30000;

// A refresh must not interrupt a person who uses something that it would replace.
export function isInUse(selector, focusSelector) {
  const used = `${selector}, dialog[open], :popover-open, .htmx-request`;
  return document.querySelector(used) !== null || Boolean(document.activeElement?.closest(focusSelector));
}

// The server sends no page if the mark is still current.
export function sendMark(event, element) {
  const { elt, headers } = event.detail;
  if (elt === element && elt.dataset.fingerprint) headers["X-Seen"] = elt.dataset.fingerprint;
}

// The clock of this machine may be wrong: times are compared with the server's clock.
export const serverOffset = (serverTime) => Date.parse(serverTime) - Date.now();

export function formatTime(date, timeZone) {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(date);
}
