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
  let panel;
  let place = "bottom-right";

  function frame(url, title) {
    const element = document.createElement("iframe");
    element.src = url;
    element.title = title;
    Object.assign(element.style, { border: "0", position: "fixed", zIndex: layer, colorScheme: "normal" });
    return element;
  }

  function dock(element, distance) {
    const [vertical, horizontal] = place.split("-");
    for (const side of ["top", "bottom", "left", "right"]) {
      element.style[side] = side === vertical || side === horizontal ? distance : "auto";
    }
  }

  function fit() {
    if (!panel) {
      return;
    }
    const isPhone = window.innerWidth < 600;
    dock(panel, isPhone ? "0" : "16px");
    Object.assign(panel.style, {
      width: isPhone ? "100%" : "400px",
      height: isPhone ? "100%" : "min(640px, calc(100% - 32px))",
      borderRadius: isPhone ? "0" : "12px",
      boxShadow: isPhone ? "none" : "0 8px 40px rgb(0 0 0 / 28%)",
      background: "#fff",
    });
  }

  const button = frame(`${site}/widget/button/?${params}`, script.dataset.title || "Book");
  Object.assign(button.style, { width: "0", height: "0" });

  function open(url) {
    if (!panel && new URL(url).origin === site) {
      panel = frame(url, button.title);
      fit();
      button.style.visibility = "hidden";
      document.body.append(panel);
      panel.focus();
    }
  }

  function close() {
    if (panel) {
      panel.remove();
      panel = undefined;
      button.style.visibility = "visible";
      button.focus();
      button.contentWindow.postMessage({ booking: "focus" }, site);
    }
  }

  addEventListener("message", (event) => {
    const sender = [button, panel].find((each) => each && each.contentWindow === event.source);
    if (event.origin !== site || !sender) {
      return;
    }
    const { booking, width, height, position, title, url } = event.data || {};
    if (booking === "ready" && sender === button) {
      place = position;
      button.title = String(title);
      dock(button, "16px");
      Object.assign(button.style, { width: `${Number(width)}px`, height: `${Number(height)}px` });
    } else if (booking === "open" && sender === button) {
      open(url);
    } else if (booking === "close") {
      close();
    }
  });
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("resize", fit);
  const start = () => document.body.append(button);
  document.body ? start() : addEventListener("DOMContentLoaded", start);
})();
