// Copies a field's text and says so on its button.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy] button");
  if (!button) return;
  const input = button.closest("[data-copy]").querySelector("input");
  const word = button.querySelector("span");
  const usual = (button.dataset.usual ??= word.textContent);
  try {
    await navigator.clipboard.writeText(input.value);
    word.textContent = button.dataset.done;
  } catch {
    input.select();
    word.textContent = button.dataset.byHand;
  }
  setTimeout(() => { word.textContent = usual; }, 2500);
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-copy] input")) event.target.select();
});
