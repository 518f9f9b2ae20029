// Sends files one after the other and shows progress and result of each. Without this script the form sends them
// together.
import { parseHtml } from "./dom.js";

const getForm = (target) => target.closest?.("form[data-upload]");
const hasFiles = (transfer) => [...(transfer?.types ?? [])].includes("Files");

function addLine(form, file) {
  const line = document.querySelector("template[data-upload-line]").content.firstElementChild.cloneNode(true);
  line.querySelector(".sent-name").textContent = file.name;
  line.querySelector(".sent-text").textContent = form.dataset.waiting;
  form.querySelector("[data-lines]").append(line);
  return line;
}

function showFailure(line, text) {
  line.dataset.level = "bad";
  line.querySelector("progress")?.remove();
  line.querySelector(".sent-text").textContent = text;
}

// The server's result for a file replaces its line.
function showResult(form, line, xhr) {
  const redirect = xhr.getResponseHeader("HX-Redirect");
  if (redirect) {
    window.location.assign(redirect);
    return;
  }
  const page = parseHtml(xhr.responseText);
  const result = page.querySelector("li.sent-line");
  if (result) line.replaceWith(result);
  else if (xhr.status === 413) showFailure(line, form.dataset.tooLarge);
  else {
    const reason = page.querySelector(".error span, .notice-list, [data-problem] p, .toast p");
    showFailure(line, reason?.textContent.trim() || form.dataset.failed);
  }
}

function send(form, file, line) {
  const body = new FormData(form);
  body.delete("file");
  body.append("file", file);
  const bar = line.querySelector("progress");
  const text = line.querySelector(".sent-text");
  return new Promise((resolve) => {
    const xhr = new XMLHttpRequest();
    xhr.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable) return;
      bar.value = Math.round((event.loaded / event.total) * 100);
      text.textContent = form.dataset.percent.replace("#", bar.value);
    });
    xhr.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      text.textContent = form.dataset.checking;
    });
    xhr.addEventListener("load", () => showResult(form, line, xhr));
    xhr.addEventListener("error", () => showFailure(line, form.dataset.failed));
    xhr.addEventListener("loadend", resolve);
    xhr.open("POST", form.action);
    xhr.setRequestHeader("HX-Request", "true");
    xhr.send(body);
  });
}

async function sendAll(form, files) {
  if ("uploading" in form.dataset) return;
  form.dataset.uploading = "";
  const button = form.querySelector("button:not([type=button])");
  button.setAttribute("aria-disabled", "true");
  button.dataset.busy = "";
  form.querySelector("[data-lines]").replaceChildren();
  const lines = files.map((file) => [file, addLine(form, file)]);
  for (const [file, line] of lines) await send(form, file, line);
  form.querySelector("input[type=file]").value = "";
  button.removeAttribute("aria-disabled");
  delete button.dataset.busy;
  delete form.dataset.uploading;
  if (form.dataset.refresh) {
    htmx.ajax("GET", window.location.pathname + window.location.search, {
      target: form.dataset.refresh,
      swap: "outerHTML",
    });
  }
}

function limitFiles(form, files) {
  return form.querySelector("input[type=file]").multiple ? files : files.slice(0, 1);
}

document.addEventListener("submit", (event) => {
  const form = getForm(event.target);
  const files = form ? [...form.querySelector("input[type=file]").files] : [];
  if ("uploading" in (form?.dataset ?? {})) event.preventDefault();
  if (!files.length) return;
  event.preventDefault();
  sendAll(form, files);
});

function highlightZone(zone) {
  for (const each of document.querySelectorAll("[data-drop]")) each.toggleAttribute("data-over", each === zone);
}

// The browser would open a file that is dropped outside the field.
document.addEventListener("dragover", (event) => {
  if (!hasFiles(event.dataTransfer) || !document.querySelector("form[data-upload]")) return;
  event.preventDefault();
  const zone = event.target.closest?.("[data-drop]");
  event.dataTransfer.dropEffect = zone ? "copy" : "none";
  highlightZone(zone);
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) highlightZone(null);
});

document.addEventListener("drop", (event) => {
  const zone = event.target.closest?.("[data-drop]");
  highlightZone(null);
  if (!hasFiles(event.dataTransfer) || !document.querySelector("form[data-upload]")) return;
  event.preventDefault();
  const form = zone && getForm(zone);
  const files = form ? limitFiles(form, [...event.dataTransfer.files]) : [];
  if (files.length) sendAll(form, files);
});
