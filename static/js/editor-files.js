// Uploads a file as soon as it is chosen inside the editor of a theme. The server returns the picker with the new file
// chosen; the other fields stay as they are.
import { dispatchInput, parseHtml } from "./dom.js";

function showStatus(picker, text) {
  picker.querySelector("[data-upload-status]").textContent = text;
}

function buildBody(form, input) {
  const body = new FormData(form);
  for (const each of form.querySelectorAll("[data-upload-to]")) if (each !== input) body.delete(each.name);
  body.set("upload", input.dataset.uploadTo);
  return body;
}

function replacePicker(picker, html) {
  const next = parseHtml(html).querySelector("fieldset.picker");
  if (!next) return false;
  const hadFocus = picker.contains(document.activeElement);
  picker.replaceWith(next);
  const chosen = next.querySelector("[data-file]:checked");
  if (hadFocus) (chosen ?? next.querySelector("[data-upload-to]")).focus({ preventScroll: true });
  if (chosen && !next.querySelector(".error")) dispatchInput(chosen);
  return true;
}

function upload(form, input) {
  const picker = input.closest(".picker");
  const xhr = new XMLHttpRequest();
  xhr.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    showStatus(picker, form.dataset.uploading.replace("#", Math.round((event.loaded / event.total) * 100)));
  });
  xhr.upload.addEventListener("load", () => showStatus(picker, form.dataset.checking));
  xhr.addEventListener("load", () => {
    const redirect = xhr.getResponseHeader("HX-Redirect");
    if (redirect) window.location.assign(redirect);
    else if (replacePicker(picker, xhr.responseText)) return;
    else showStatus(picker, xhr.status === 413 ? form.dataset.tooLarge : form.dataset.failed);
    input.value = "";
  });
  xhr.addEventListener("error", () => {
    input.value = "";
    showStatus(picker, form.dataset.failed);
  });
  xhr.open("POST", form.getAttribute("action"));
  xhr.setRequestHeader("HX-Request", "true");
  xhr.setRequestHeader("HX-Target", picker.id);
  xhr.send(buildBody(form, input));
}

document.addEventListener("change", (event) => {
  const input = event.target.closest?.("form[data-preview] [data-upload-to]");
  if (input?.files.length) upload(input.form, input);
});
