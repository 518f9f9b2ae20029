// Dialogs to choose from: Ctrl/⌘-K opens the palette; arrows choose, Enter goes, Escape closes, here and in the switcher.
const mac = /Mac|iPhone|iPad/.test(navigator.platform);

for (const key of document.querySelectorAll("[data-mod-key]")) if (mac) key.textContent = "⌘ K";

function setUp(dialog) {
  const input = dialog.querySelector("input");
  const options = () => [...dialog.querySelectorAll("[role=option]")];

  function choose(option) {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  }

  // Opened by a key or by a link: start with what there is, and what was typed before selected.
  new MutationObserver(() => {
    if (!dialog.open) return;
    input.select();
    input.dispatchEvent(new CustomEvent("palette:open"));
  }).observe(dialog, { attributeFilter: ["open"] });

  // Where one is already is no place to go to.
  dialog.addEventListener("htmx:afterSwap", () =>
    choose(options().find((option) => !option.hasAttribute("aria-current")) ?? options()[0]),
  );

  dialog.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      choose(all[(at + step + all.length) % all.length]);
    } else if (event.key === "Enter" && all[at]) {
      event.preventDefault();
      all[at].click();
    } else if (event.key === "Escape") {
      // A search field would only empty itself.
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
  const asked =
    event.key.toLowerCase() === "k" && (mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
  if (!palette || !asked) return;
  event.preventDefault();
  if (palette.open) palette.close();
  else if (!document.querySelector("dialog[open]")) palette.showModal();
});
