// A link with data-dialog opens that dialog instead of going to its page; focus returns to it afterwards.
const FIELDS = "input:not([type=hidden]), select, textarea";
let opener = null;

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-dialog]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    const dialog = document.getElementById(link.dataset.dialog);
    if (!dialog) return;
    event.preventDefault();
    opener = link;
    // What it showed the last time is not what was asked for now.
    const body = link.hasAttribute("hx-get") && dialog.querySelector(link.getAttribute("hx-target"));
    body?.replaceChildren?.();
    if (!dialog.open) dialog.showModal();
    if (!dialog.querySelector("[autofocus]")) dialog.querySelector(FIELDS)?.focus();
    return;
  }
  const close = event.target.closest("[data-close]");
  if (close) close.closest("dialog")?.close();
});

// What is loaded into a dialog comes later than the dialog: focus goes on from its close button to the first field.
document.addEventListener("htmx:afterSettle", (event) => {
  const dialog = event.target.closest?.("dialog[open]");
  if (dialog && document.activeElement.closest(".dialog-head")) dialog.querySelector(FIELDS)?.focus();
});

// A click on the backdrop, where the browser does not know closedby.
document.addEventListener("pointerdown", (event) => {
  const dialog = event.target;
  if (!(dialog instanceof HTMLDialogElement) || !dialog.open || "closedBy" in dialog) return;
  const box = dialog.getBoundingClientRect();
  const inside =
    event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  if (!inside && dialog.getAttribute("closedby") === "any") dialog.close();
});

document.addEventListener(
  "close",
  () => {
    if (opener?.isConnected && !document.querySelector("dialog[open]")) opener.focus({ preventScroll: true });
    opener = null;
  },
  true,
);

// The server says that what the dialog asked for is done: HX-Trigger: dialog:close
document.addEventListener("dialog:close", () => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
});
