// The command palette (Ctrl-K or ⌘-K) and the business switcher: arrow keys select, Enter opens, Escape closes.
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

for (const key of document.querySelectorAll("[data-mod-key]")) if (isMac) key.textContent = "⌘ K";

function setUp(dialog) {
  const input = dialog.querySelector("input[type=search]");
  const options = () => [...dialog.querySelectorAll("[role=option]")];

  function select(option) {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  // When the dialog opens, it loads its options, and the text of the last search is selected.
  new MutationObserver(() => {
    if (!dialog.open) return;
    input.select();
    input.dispatchEvent(new CustomEvent("palette:open"));
  }).observe(dialog, { attributeFilter: ["open"] });

  // The current page or business is not preselected.
  dialog.addEventListener("htmx:afterSwap", () =>
    select(options().find((option) => !option.hasAttribute("aria-current")) ?? options()[0]),
  );

  dialog.addEventListener("keydown", (event) => {
    const all = options();
    const index = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      select(all[(index + step + all.length) % all.length]);
    } else if (event.key === "Enter" && all[index]) {
      event.preventDefault();
      all[index].click();
    } else if (event.key === "Escape") {
      // A search field handles Escape by clearing itself.
      event.preventDefault();
      dialog.close();
    }
  });

  dialog.addEventListener("click", (event) => {
    if (event.target.closest("[role=option]") && !event.ctrlKey && !event.metaKey) dialog.close();
  });
}

for (const dialog of document.querySelectorAll("dialog.palette")) setUp(dialog);

const palette = document.getElementById("palette");
document.addEventListener("keydown", (event) => {
  const isPaletteKey =
    event.key.toLowerCase() === "k" && (isMac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
  if (!palette || !isPaletteKey) return;
  event.preventDefault();
  if (palette.open) palette.close();
  else if (!document.querySelector("dialog[open]")) palette.showModal();
});
