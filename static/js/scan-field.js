// A barcode scanner types a code very fast and presses Enter. Its code is recorded wherever the focus is on a page with
// a scan field. Codes that arrive while another one is sent wait for it.
const MAX_GAP = 50;
const MIN_LENGTH = 4;
const FIELD = "input, select, textarea, [contenteditable]";

const waiting = [];
let keys = "";
let lastKeyAt = 0;
let field = null;
let valueBefore = "";
let heldKeys = [];
let heldTimer = 0;

// From the forms, not from the whole document: this runs on each key, also on pages with tens of thousands of elements.
const getForm = () => [...document.forms].find((form) => "scan" in form.dataset);

function reset() {
  keys = "";
  field = null;
}

function sendNext() {
  const form = getForm();
  if (!form || !waiting.length || "sending" in form.dataset) return;
  form.elements.code.value = waiting.shift();
  form.requestSubmit();
}

function record(code) {
  waiting.push(code);
  sendNext();
}

// Keys of a person may be shortcuts of the page. They are held back until it is clear that they are no scan.
function releaseHeldKeys() {
  clearTimeout(heldTimer);
  const released = heldKeys.length < MIN_LENGTH ? heldKeys : [];
  heldKeys = [];
  for (const { target, key, code, shiftKey } of released) {
    const again = new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true });
    again.isReleased = true;
    target.dispatchEvent(again);
  }
}

function holdBack(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
  const { target, key, code, shiftKey } = event;
  heldKeys.push({ target, key, code, shiftKey });
  clearTimeout(heldTimer);
  heldTimer = setTimeout(releaseHeldKeys, MAX_GAP + 10);
}

function onEnter(event) {
  const isScan = keys.length >= MIN_LENGTH && event.timeStamp - lastKeyAt <= MAX_GAP;
  if (isScan) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (field) field.value = valueBefore;
    record(keys);
  }
  releaseHeldKeys();
  reset();
}

function onKey(event) {
  if (event.isReleased || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const form = getForm();
  if (!form || document.querySelector("dialog[open]")) return;
  const focused = event.target.closest(FIELD);
  // In the scan field itself, Enter sends the form as usual.
  if (focused === form.elements.code) return;
  if (event.key === "Enter") {
    onEnter(event);
    return;
  }
  // A code contains any character. It does not begin with a space, which presses the focused button.
  const isLate = event.timeStamp - lastKeyAt > MAX_GAP;
  if (event.key.length !== 1 || (event.key === " " && (isLate || !keys))) return;
  if (isLate) {
    reset();
    field = focused?.matches("input, textarea") ? focused : null;
    valueBefore = field?.value ?? "";
  }
  keys += event.key;
  lastKeyAt = event.timeStamp;
  if (!focused || focused.matches("[type=radio], [type=checkbox]")) holdBack(event);
}

document.addEventListener("keydown", onKey, true);
document.addEventListener("htmx:afterSettle", sendNext);
document.addEventListener("htmx:afterRequest", (event) => {
  // A code that was refused does not stop those that follow.
  if (event.detail.elt.matches?.("form[data-scan]")) setTimeout(sendNext);
});
