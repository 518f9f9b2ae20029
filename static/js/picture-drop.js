// Pictures that are dropped on the blocks, or pasted, are sent one after the other. Then the form gets their blocks.
import { readTexts, say } from "./block-list.js";
import { requestHeaders } from "./dom.js";
import { behaviours } from "./rich-engine.js";

const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
// The pictures that were refused: what is shown about them and after which block, until the next picture.
let failures = [];

const getForm = () => document.querySelector("form[data-blocks-form]");
const hasFiles = (transfer) => [...(transfer?.types ?? [])].includes("Files");
const highlight = (block) => {
  for (const each of document.querySelectorAll("[data-block][data-over]")) delete each.dataset.over;
  if (block) block.dataset.over = "";
};

function addLine(after, name) {
  const line = document.createElement("li");
  line.className = "picture-line";
  line.innerHTML = "<p></p><progress max='100'></progress>";
  line.querySelector("p").textContent = name;
  line.querySelector("progress").ariaLabel = name;
  if (after) after.after(line);
  else getForm().querySelector("ol.blocks").append(line);
  return line;
}

function showFailure(line, reason, after) {
  showReason(line, `${line.textContent}: ${reason}`);
  failures.push({ after: after?.id ?? "", text: line.textContent });
  say(line.textContent);
}

function showReason(line, text) {
  line.querySelector("progress").remove();
  line.dataset.failed = "";
  line.querySelector("p").textContent = text;
}

function removeFailures() {
  for (const each of document.querySelectorAll(".picture-line[data-failed]")) each.remove();
}

// The form that the server returns does not know about them.
document.addEventListener("htmx:afterSettle", () => {
  if (!getForm()) failures = [];
  if (!failures.length) return;
  removeFailures();
  for (const { after, text } of failures) showReason(addLine(document.getElementById(after), ""), text);
});

function send(file, line, after) {
  const form = getForm();
  const texts = readTexts();
  const body = new FormData();
  body.append("operation", form.elements.operation.value);
  body.append("file", file);
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.responseType = "json";
    xhr.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) line.querySelector("progress").value = (event.loaded / event.total) * 100;
    });
    xhr.addEventListener("loadend", () => {
      const source = xhr.status === 200 ? xhr.response?.src : "";
      const reason = xhr.status === 413 ? texts.tooLarge : (xhr.response?.error ?? texts.failed);
      if (source) line.remove();
      else showFailure(line, reason, after);
      resolve(source);
    });
    xhr.open("POST", form.dataset.pictureUrl);
    for (const [name, value] of Object.entries(requestHeaders())) xhr.setRequestHeader(name, value);
    xhr.send(body);
  });
}

async function addPictures(files, after) {
  const pictures = files.filter((file) => TYPES.includes(file.type));
  failures = [];
  removeFailures();
  if (!pictures.length) {
    say(readTexts().unsupported);
    return;
  }
  const lines = pictures.map((file) => [file, addLine(after, file.name)]);
  const sources = [];
  for (const [file, line] of lines) sources.push(await send(file, line, after));
  const found = sources.filter(Boolean);
  if (found.length) press(`picture:${after?.isConnected ? after.id : ""}:${found.join(" ")}`);
}

function press(action) {
  const button = document.createElement("button");
  [button.name, button.value, button.hidden] = ["action", action, true];
  getForm().append(button);
  button.click();
  button.remove();
}

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event.dataTransfer) || !getForm()) return;
  event.preventDefault();
  const isOver = event.target.closest("form[data-blocks-form]") !== null;
  event.dataTransfer.dropEffect = isOver ? "copy" : "none";
  highlight(isOver ? event.target.closest("[data-block]") : null);
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) highlight(null);
});

// In the capture phase, before the rich text editor.
document.addEventListener(
  "drop",
  (event) => {
    if (!hasFiles(event.dataTransfer) || !getForm()) return;
    event.preventDefault();
    event.stopPropagation();
    highlight(null);
    if (!event.target.closest("form[data-blocks-form]")) return;
    const blocks = getForm().querySelectorAll("[data-block]");
    addPictures([...event.dataTransfer.files], event.target.closest("[data-block]") ?? blocks[blocks.length - 1]);
  },
  true,
);

behaviours.unshift({
  onPaste: (_view, event, field) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const hasText = event.clipboardData?.types.includes("text/plain");
    if (!files.length || hasText) return false;
    addPictures(files, field.block);
    return true;
  },
});
