// A link with data-dialog opens that dialog instead of its page. When the dialog closes, the link has the focus again.
import { opensNewTab } from "./dom.js";

const FIELDS = "input:not([type=hidden]), select, textarea";
let opener = null;

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-dialog]");
  if (link && !opensNewTab(event)) {
    const dialog = document.getElementById(link.dataset.dialog);
    if (!dialog) return;
    event.preventDefault();
    opener = link;
    // The content of the previous opening is removed while the new content loads.
    const body = link.hasAttribute("hx-get") && dialog.querySelector(link.getAttribute("hx-target"));
    body?.replaceChildren?.();
    if (!dialog.open) dialog.showModal();
    if (!dialog.querySelector("[autofocus]")) dialog.querySelector(FIELDS)?.focus();
    return;
  }
  const close = event.target.closest("[data-close]");
  if (close) close.closest("dialog")?.close();
});

// Loaded content arrives after the dialog has opened: the focus moves from the close button to the first field.
document.addEventListener("htmx:afterSettle", (event) => {
  const dialog = event.target.closest?.("dialog[open]");
  if (dialog && document.activeElement.closest(".dialog-head")) dialog.querySelector(FIELDS)?.focus();
});

// A click on the backdrop closes the dialog, also in a browser without support for closedby.
document.addEventListener("pointerdown", (event) => {
  const dialog = event.target;
  if (!(dialog instanceof HTMLDialogElement) || !dialog.open || "closedBy" in dialog) return;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  const isInside = x >= left && x <= right && y >= top && y <= bottom;
  if (!isInside && dialog.getAttribute("closedby") === "any") dialog.close();
});

document.addEventListener(
  "close",
  () => {
    if (opener?.isConnected && !document.querySelector("dialog[open]")) opener.focus({ preventScroll: true });
    opener = null;
  },
  true,
);

// The server closes a dialog with the header "HX-Trigger: dialog:close".
document.addEventListener("dialog:close", () => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
});
