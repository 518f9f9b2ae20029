// Shows a button that opens the booking page of a business in a frame. The website needs these in its policy:
// script-src and frame-src with the address of this script. Nothing is read from the page or stored in it.
(() => {
  const script = document.currentScript;
  if (!script?.dataset.key) {
    console.error("Booking widget: the script needs data-key with a public API key.");
    return;
  }
  const site = new URL(script.src).origin;
  const params = new URLSearchParams({
    key: script.dataset.key,
    lang: script.dataset.lang || navigator.language,
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone || "",
  });
  const layer = "2147483000";
  const patience = 3000;
  let panel;
  let content;
  let timer;
  let place = "bottom-right";

  function frame(url, title) {
    const element = document.createElement("iframe");
    element.src = url;
    element.title = title;
    Object.assign(element.style, { border: "0", colorScheme: "normal" });
    return element;
  }

  function dock(element, distance) {
    const [vertical, horizontal] = place.split("-");
    Object.assign(element.style, { position: "fixed", zIndex: layer });
    for (const side of ["top", "bottom", "left", "right"]) {
      element.style[side] = side === vertical || side === horizontal ? distance : "auto";
    }
  }

  const isPhone = () => window.innerWidth < 600;

  function fit() {
    if (!panel) {
      return;
    }
    dock(panel, isPhone() ? "0" : "16px");
    Object.assign(panel.style, {
      width: isPhone() ? "100%" : "400px",
      height: isPhone() ? "100%" : "min(640px, calc(100% - 32px))",
      borderRadius: isPhone() ? "0" : "12px",
      boxShadow: isPhone() ? "none" : "0 8px 40px rgb(0 0 0 / 28%)",
    });
  }

  const button = frame(`${site}/widget/button/?${params}`, script.dataset.title || "Book");
  Object.assign(button.style, { width: "0", height: "0" });
  dock(button, "16px");

  // A dialog. On a phone it covers the website, which cannot be used beside it.
  function open(url) {
    if (panel || url.origin !== site) {
      return;
    }
    panel = document.createElement("dialog");
    panel.setAttribute("aria-label", button.title);
    Object.assign(panel.style, { display: "block", margin: "0", padding: "0", border: "0", overflow: "hidden" });
    Object.assign(panel.style, { maxWidth: "none", maxHeight: "none", background: "#fff", colorScheme: "normal" });
    panel.addEventListener("close", close);
    content = frame(url.href, button.title);
    Object.assign(content.style, { display: "block", width: "100%", height: "100%" });
    // A page that the browser refuses to show has no button that closes it.
    content.addEventListener("load", () => {
      clearTimeout(timer);
      timer = setTimeout(close, patience);
      content.contentWindow.postMessage({ booking: "ping" }, site);
    });
    panel.append(content);
    document.body.append(panel);
    fit();
    isPhone() ? panel.showModal() : panel.show();
    button.style.visibility = "hidden";
    content.focus();
  }

  function close() {
    clearTimeout(timer);
    if (panel) {
      panel.remove();
      panel = content = undefined;
      button.style.visibility = "visible";
      button.focus();
      button.contentWindow.postMessage({ booking: "focus" }, site);
    }
  }

  addEventListener("message", (event) => {
    const sender = [button, content].find((each) => each && each.contentWindow === event.source);
    if (event.origin !== site || !sender) {
      return;
    }
    const { booking, width, height, position, title, url } = event.data || {};
    if (booking === "ready" && sender === button) {
      place = String(position);
      button.title = String(title);
      dock(button, "16px");
      Object.assign(button.style, { width: `${Number(width)}px`, height: `${Number(height)}px` });
    } else if (booking === "open" && sender === button) {
      open(new URL(url));
    } else if (booking === "shown") {
      clearTimeout(timer);
    } else if (booking === "close") {
      close();
    }
  });
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("resize", fit);
  const start = () => document.body.append(button);
  document.body ? start() : addEventListener("DOMContentLoaded", start);
})();
