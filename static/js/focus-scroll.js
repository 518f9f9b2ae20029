// The answer to a form is shown from its top. If its message has the focus further down, the page scrolls to it.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "main") return;
  // htmx scrolls after this event.
  setTimeout(() => {
    const element = document.activeElement;
    if (!element?.matches("main [autofocus]")) return;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
  });
});
