// Small helpers that several modules share.
export const parseHtml = (text) => new DOMParser().parseFromString(text, "text/html");

// Other scripts and htmx react to a value that a script sets as if a person had typed it.
export const dispatchInput = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

export const opensNewTab = (event) => event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey;

export const listRows = () => [...document.querySelectorAll("[data-list] [data-row]")];

// The headers that htmx sends with each request; they include the CSRF token.
export const requestHeaders = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
