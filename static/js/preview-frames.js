// Scales a framed preview from its own width down to the space it has. Frames in one group scroll together.
function scaleFrame(box) {
  const frame = box.querySelector("iframe");
  const width = Number(box.dataset.width);
  if (!frame || !width || !box.clientWidth) return;
  const scale = Math.min(1, box.clientWidth / width);
  box.dataset.scaled = "";
  // The whole frame is visible, so the box does not scroll and needs no tab stop.
  box.removeAttribute("tabindex");
  frame.style.width = `${width}px`;
  frame.style.height = `${box.clientHeight / scale}px`;
  frame.style.transform = `translateX(${(box.clientWidth - width * scale) / 2}px) scale(${scale})`;
}

const sizeObserver = new ResizeObserver((entries) => {
  for (const entry of entries) scaleFrame(entry.target);
});
const widthObserver = new MutationObserver((changes) => {
  for (const change of changes) scaleFrame(change.target);
});

function observe(box) {
  sizeObserver.observe(box);
  widthObserver.observe(box, { attributeFilter: ["data-width"] });
}

document.addEventListener("htmx:load", (event) => {
  for (const box of event.detail.elt.querySelectorAll("[data-frame]")) observe(box);
  for (const frame of event.detail.elt.querySelectorAll("[data-frames] iframe")) syncScroll(frame);
});

// Frames scroll by share of their height, because the same screen can be longer in another theme.
function syncScroll(frame) {
  const otherFrames = () =>
    [...frame.closest("[data-frames]").querySelectorAll("iframe")].filter((each) => each !== frame);
  const scrollRange = (page) => page.document.documentElement.scrollHeight - page.innerHeight;
  const scrolledShare = (page) => page.scrollY / Math.max(1, scrollRange(page));
  const listenToScroll = () => {
    const page = frame.contentWindow;
    page?.addEventListener(
      "scroll",
      () => {
        // A scroll that another frame caused is not passed on.
        if (frame.dataset.led) return void delete frame.dataset.led;
        for (const other of otherFrames()) {
          const otherPage = other.contentWindow;
          const top = Math.round(scrolledShare(page) * scrollRange(otherPage));
          if (Math.abs(top - otherPage.scrollY) < 2) continue;
          other.dataset.led = "1";
          otherPage.scrollTo({ top, behavior: "instant" });
        }
      },
      { passive: true },
    );
  };
  frame.addEventListener("load", listenToScroll);
  if (frame.contentDocument?.readyState === "complete") listenToScroll();
}

// After Back the browser restores an old address in a frame. The frame's src attribute matches the caption.
window.addEventListener("load", () => {
  for (const frame of document.querySelectorAll("[data-frame] iframe")) {
    const page = frame.contentWindow;
    if (page && page.location.href !== frame.src) page.location.replace(frame.src);
  }
});
