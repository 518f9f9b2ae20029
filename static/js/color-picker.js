// Adds the browser's colour picker next to a colour field. It is for pointers only: the text field stays the value.
import { dispatchInput } from "./dom.js";

function addPicker(field) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.tabIndex = -1;
  picker.setAttribute("aria-hidden", "true");
  const update = () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value;
  };
  update();
  field.addEventListener("input", update);
  picker.addEventListener("input", () => {
    field.value = picker.value;
    dispatchInput(field);
  });
  const box = document.createElement("div");
  box.className = "color";
  // Moving the field takes its focus away.
  const hadFocus = document.activeElement === field;
  const { selectionStart, selectionEnd } = field;
  field.before(box);
  box.append(field, picker);
  if (hadFocus) {
    field.focus({ preventScroll: true });
    field.setSelectionRange(selectionStart, selectionEnd);
  }
  field.removeAttribute("data-color");
}

document.addEventListener("htmx:load", (event) => {
  for (const field of event.detail.elt.querySelectorAll("[data-color]")) addPicker(field);
});
