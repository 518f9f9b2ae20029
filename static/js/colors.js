// A field for a colour gets the browser's picker beside it, for those who point; what is typed counts.
function addPicker(field) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.tabIndex = -1;
  picker.setAttribute("aria-hidden", "true");
  const show = () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value;
  };
  show();
  field.addEventListener("input", show);
  picker.addEventListener("input", () => {
    field.value = picker.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const box = document.createElement("div");
  box.className = "color";
  field.before(box);
  box.append(field, picker);
  field.removeAttribute("data-color");
}

document.addEventListener("htmx:load", (event) => {
  for (const field of event.detail.elt.querySelectorAll("[data-color]")) addPicker(field);
});
