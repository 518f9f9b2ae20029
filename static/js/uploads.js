// Files are sent one after the other, each with its progress and its answer. Without this the form sends them together.
const forms = (target) => target.closest?.("form[data-upload]");
const filesIn = (transfer) => [...(transfer?.types ?? [])].includes("Files");

function line(form, file) {
  const made = document.querySelector("template[data-upload-line]").content.firstElementChild.cloneNode(true);
  made.querySelector(".sent-name").textContent = file.name;
  made.querySelector(".sent-text").textContent = form.dataset.waiting;
  form.querySelector("[data-lines]").append(made);
  return made;
}

function fail(made, text) {
  made.dataset.level = "bad";
  made.querySelector("progress")?.remove();
  made.querySelector(".sent-text").textContent = text;
}

// What the server says about a file takes the place of its line.
function answer(form, made, xhr) {
  const there = xhr.getResponseHeader("HX-Redirect");
  if (there) {
    window.location.assign(there);
    return;
  }
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const said = page.querySelector("li.sent-line");
  if (said) made.replaceWith(said);
  else if (xhr.status === 413) fail(made, form.dataset.tooLarge);
  else
    fail(
      made,
      page.querySelector(".error span, .notice-list, [data-problem] p, .toast p")?.textContent.trim() ||
        form.dataset.failed,
    );
}

function send(form, file, made) {
  const body = new FormData(form);
  body.delete("file");
  body.append("file", file);
  const bar = made.querySelector("progress");
  const text = made.querySelector(".sent-text");
  return new Promise((done) => {
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
    xhr.addEventListener("load", () => answer(form, made, xhr));
    xhr.addEventListener("error", () => fail(made, form.dataset.failed));
    xhr.addEventListener("loadend", done);
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
  const lines = files.map((file) => [file, line(form, file)]);
  for (const [file, made] of lines) await send(form, file, made);
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

function chosen(form, files) {
  return form.querySelector("input[type=file]").multiple ? files : files.slice(0, 1);
}

document.addEventListener("submit", (event) => {
  const form = forms(event.target);
  const files = form ? [...form.querySelector("input[type=file]").files] : [];
  if ("uploading" in (form?.dataset ?? {})) event.preventDefault();
  if (!files.length) return;
  event.preventDefault();
  sendAll(form, files);
});

// A file dropped beside the field must not take the page's place.
document.addEventListener("dragover", (event) => {
  if (!filesIn(event.dataTransfer) || !document.querySelector("form[data-upload]")) return;
  event.preventDefault();
  const zone = event.target.closest?.("[data-drop]");
  event.dataTransfer.dropEffect = zone ? "copy" : "none";
  for (const each of document.querySelectorAll("[data-drop]")) each.toggleAttribute("data-over", each === zone);
});

document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget)
    for (const each of document.querySelectorAll("[data-drop]")) each.removeAttribute("data-over");
});

document.addEventListener("drop", (event) => {
  const zone = event.target.closest?.("[data-drop]");
  for (const each of document.querySelectorAll("[data-drop]")) each.removeAttribute("data-over");
  if (!filesIn(event.dataTransfer) || !document.querySelector("form[data-upload]")) return;
  event.preventDefault();
  const form = zone && forms(zone);
  const files = form ? chosen(form, [...event.dataTransfer.files]) : [];
  if (files.length) sendAll(form, files);
});
