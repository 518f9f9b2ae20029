// Menus made of <details> close on Escape and on a click elsewhere, like popover menus.
const openMenus = () => document.querySelectorAll("details.more-menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
