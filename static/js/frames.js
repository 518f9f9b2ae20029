// A framed screen is as wide as it says and scaled down to the room it has; frames that stand together scroll together.
function fit(box) {
  const frame = box.querySelector("iframe");
  const width = Number(box.dataset.width);
  if (!frame || !width || !box.clientWidth) return;
  const scale = Math.min(1, box.clientWidth / width);
  box.dataset.scaled = "";
  // All of it is seen: there is nothing to scroll to, and no reason to stop there.
  box.removeAttribute("tabindex");
  frame.style.width = `${width}px`;
  frame.style.height = `${box.clientHeight / scale}px`;
  frame.style.transform = `translateX(${(box.clientWidth - width * scale) / 2}px) scale(${scale})`;
}

const sizes = new ResizeObserver((entries) => {
  for (const entry of entries) fit(entry.target);
});
const widths = new MutationObserver((changes) => {
  for (const change of changes) fit(change.target);
});

function watch(box) {
  sizes.observe(box);
  widths.observe(box, { attributeFilter: ["data-width"] });
}

document.addEventListener("htmx:load", (event) => {
  for (const box of event.detail.elt.querySelectorAll("[data-frame]")) watch(box);
  for (const frame of event.detail.elt.querySelectorAll("[data-frames] iframe")) together(frame);
});

// By share of the way: the same screen can be longer in another look.
function together(frame) {
  const others = () => [...frame.closest("[data-frames]").querySelectorAll("iframe")].filter((each) => each !== frame);
  const share = (page) => page.scrollY / Math.max(1, page.document.documentElement.scrollHeight - page.innerHeight);
  const listen = () => {
    const page = frame.contentWindow;
    page?.addEventListener(
      "scroll",
      () => {
        if (frame.dataset.led) return void delete frame.dataset.led;
        for (const other of others()) {
          const there = other.contentWindow;
          const top = Math.round(share(page) * (there.document.documentElement.scrollHeight - there.innerHeight));
          if (Math.abs(top - there.scrollY) < 2) continue;
          other.dataset.led = "1";
          there.scrollTo({ top, behavior: "instant" });
        }
      },
      { passive: true },
    );
  };
  frame.addEventListener("load", listen);
  if (frame.contentDocument?.readyState === "complete") listen();
}

// Back brings a frame to where it once was, beside a caption that says another: what the page says counts.
window.addEventListener("load", () => {
  for (const frame of document.querySelectorAll("[data-frame] iframe")) {
    const page = frame.contentWindow;
    if (page && page.location.href !== frame.src) page.location.replace(frame.src);
  }
});
