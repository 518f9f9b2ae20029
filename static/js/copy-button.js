// Copies the text of a field or of an element with data-copy-text, and confirms it on the button.
const CONFIRM_FOR = 2500;

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy] button:not([data-print])");
  if (!button) return;
  const source = button.closest("[data-copy]").querySelector("input, [data-copy-text]");
  const label = button.querySelector("span");
  button.dataset.usual ??= label.textContent;
  try {
    // biome-ignore lint/performance/useDomNodeTextContent: innerText keeps the line breaks of a list
    await navigator.clipboard.writeText(source.value ?? source.innerText);
    label.textContent = button.dataset.done;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    label.textContent = button.dataset.copyFailedText;
  }
  setTimeout(() => {
    label.textContent = button.dataset.usual;
  }, CONFIRM_FOR);
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-copy] input")) event.target.select();
});
