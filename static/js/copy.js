// Copies the text of a field, or of whatever is marked, and says so on the button.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy] button:not([data-print])");
  if (!button) return;
  const source = button.closest("[data-copy]").querySelector("input, [data-copy-text]");
  const word = button.querySelector("span");
  button.dataset.usual ??= word.textContent;
  try {
    // biome-ignore lint/performance/useDomNodeTextContent: innerText keeps the line breaks of a list
    await navigator.clipboard.writeText(source.value ?? source.innerText);
    word.textContent = button.dataset.done;
  } catch {
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    word.textContent = button.dataset.byHand;
  }
  setTimeout(() => {
    word.textContent = button.dataset.usual;
  }, 2500);
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-copy] input")) event.target.select();
});
