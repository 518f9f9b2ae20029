// The button inside its frame: says how large it is and where it belongs, and opens the page in the frame beside.
const button = document.querySelector("[data-panel]");

function tell(message) {
  // The website of the key receives this. It contains nothing secret.
  parent.postMessage(message, "*");
}

button.addEventListener("click", () => tell({ booking: "open", url: new URL(button.dataset.panel, location.href).href }));
addEventListener("message", (event) => event.source === parent && event.data?.booking === "focus" && button.focus());

const { width, height } = button.getBoundingClientRect();
tell({
  booking: "ready",
  width: Math.ceil(width) + 8,
  height: Math.ceil(height) + 8,
  position: button.dataset.position,
  title: button.textContent.trim(),
});
