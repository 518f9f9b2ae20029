// A calendar that stays open all day looks again by itself, and takes nothing out of anybody's hands.
const LOOK_AGAIN = 30000;
const calendar = () => document.querySelector("[data-calendar][data-mark]");
let looked = Date.now();

// Not while someone moves a booking, holds the pointer down, or chooses what to see.
function busy() {
  return (
    document.querySelector(
      "[data-grid][data-moving], [data-grid] :active, dialog[open], :popover-open, .htmx-request",
    ) !== null ||
    (document.activeElement?.closest("[data-filters]") !== null && document.activeElement !== document.body)
  );
}

function look() {
  if (!calendar() || document.hidden || Date.now() - looked < LOOK_AGAIN || busy()) return;
  looked = Date.now();
  htmx.trigger(calendar(), "calendar:look");
}

setInterval(look, 1000);
document.addEventListener("visibilitychange", look);

// Where nothing has changed nothing is sent.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt === calendar()) event.detail.headers["X-Seen"] = event.detail.elt.dataset.mark;
});

// The columns stay scrolled to where they were. What has an id, htmx gives the focus back itself; a column's head has none.
let place = null;
let was = null;
const titled = (around) => around.querySelector(".cal-title").textContent;
const versions = (around) =>
  new Map([...around.querySelectorAll("a[data-mark]")].map((each) => [each.id, each.dataset.mark]));
const PLACES = "a, [data-grid]";
document.addEventListener("htmx:beforeSwap", (event) => {
  place = null;
  const { target, elt } = event.detail;
  if (elt !== calendar() || !target.matches("[data-calendar]")) return;
  const grid = target.querySelector("[data-grid]");
  const at = document.activeElement;
  was = { title: titled(target), of: versions(target) };
  place = {
    top: grid?.scrollTop,
    left: grid?.scrollLeft,
    nth: at.id ? -1 : [...target.querySelectorAll(PLACES)].indexOf(at),
  };
});
document.addEventListener("htmx:afterSwap", () => {
  looked = Date.now();
  const grid = place && document.querySelector("[data-grid]");
  if (grid) {
    grid.dataset.met = "";
    grid.scrollTop = place.top ?? 0;
    grid.scrollLeft = place.left ?? 0;
  }
  if (place) tell();
  if (place && place.nth >= 0) calendar()?.querySelectorAll(PLACES)[place.nth]?.focus({ preventScroll: true });
  place = null;
});

// What somebody else has changed meanwhile is marked for as long as one needs to see it, and said.
const SEEN_FOR = 20000;

function tell() {
  // After midnight it is another day, and all of it new.
  if (titled(calendar()) !== was.title) return;
  const changed = [...calendar().querySelectorAll("a[data-mark]")].filter(
    (each) => was.of.get(each.id) !== each.dataset.mark,
  );
  for (const each of changed) {
    each.dataset.fresh = "";
    setTimeout(() => delete each.dataset.fresh, SEEN_FOR);
  }
  const live = document.getElementById("cal-changed");
  if (live && changed.length)
    live.textContent = `${live.dataset.said} ${changed.map((each) => each.title || each.textContent.trim()).join("; ")}`;
}
