// Rooms: what comes next is counted down, the page looks again when something has changed, openings move along a line.
const LOOK_AGAIN = 30000;
let looked = Date.now();
// The opening that was moved last.
let last = "";

const page = () => document.querySelector("[data-rooms]");
// By the server's clock: this machine's may be wrong.
let ahead = 0;
const now = () => Date.now() + ahead;

function meet() {
  const rooms = page();
  if (!rooms) return;
  ahead = Date.parse(rooms.dataset.now) - Date.now();
  looked = Date.now();
  tell();
}

function left(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

function tell() {
  for (const place of document.querySelectorAll("[data-countdown]")) {
    const rest = Date.parse(place.dataset.countdown) - now();
    // Farther away than that a date says more, and stands there.
    if (rest >= 86400000) continue;
    const text = place.dataset.in.replace("#", left(rest));
    const at = place.querySelector("time") ?? place;
    // Most of them say the same for a minute: writing it again would lay the whole table out anew.
    if (at.textContent !== text) at.textContent = text;
  }
}

// Not while someone moves an opening, has chosen rooms, or reads a menu: it would be taken out of their hands.
function busy() {
  return (
    document.querySelector(
      "[data-moved], .rooms-shift[open], [data-list] .pick :checked, dialog[open], :popover-open, .htmx-request",
    ) !== null ||
    (document.activeElement?.closest("[data-filters], .bulk") !== null && document.activeElement !== document.body)
  );
}

function look() {
  const list = document.querySelector("[data-rooms][hx-get]");
  if (!list || document.hidden || busy()) return;
  const due = Date.parse(list.dataset.next ?? "") <= now();
  if (!due && Date.now() - looked < LOOK_AGAIN) return;
  if (due && Date.now() - looked < 1000) return;
  looked = Date.now();
  htmx.trigger(list, "rooms:look");
}

// Where nothing has changed nothing is sent, and nothing is taken out of anybody's hands.
document.addEventListener("htmx:configRequest", (event) => {
  const { mark } = event.detail.elt.dataset;
  if (mark && event.detail.elt === page()) event.detail.headers["X-Seen"] = mark;
});

setInterval(() => {
  if (!page()) return;
  tell();
  look();
}, 1000);

document.addEventListener("htmx:afterSettle", (event) => {
  meet();
  // Whoever moves an opening by keyboard is still at it. Toasts settle before the page.
  if (!last || event.target.closest?.("#toasts")) return;
  document.getElementById(last)?.focus({ preventScroll: true });
  last = "";
});
document.addEventListener("visibilitychange", look);
meet();

// What was looked at again takes the place of what one is in; what has an id htmx finds itself.
const PLACES = "a, button, summary, select, input:not([type=hidden])";
let place = null;
document.addEventListener("htmx:beforeSwap", (event) => {
  const at = document.activeElement;
  place = null;
  if (!event.detail.target?.matches("[data-rooms]") || !event.detail.target.contains(at) || at.id) return;
  const row = at.closest("[data-row]");
  place = { row: row?.id, nth: [...(row ?? event.detail.target).querySelectorAll(PLACES)].indexOf(at) };
});
document.addEventListener("htmx:afterSettle", () => {
  const around = place && (place.row ? document.getElementById(place.row) : page());
  around?.querySelectorAll(PLACES)[place.nth]?.focus({ preventScroll: true });
  place = null;
});

// Whoever asks for the form of many openings goes on in it.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.target.matches?.(".rooms-shift[open]")) event.target.querySelector("[type=number]").focus();
  },
  true,
);

// --- Openings on the line of the day ---
let dragging = null;

function moment(slider) {
  const day = slider.closest("[data-day]");
  return new Date(Date.parse(day.dataset.day) + Number(slider.value) * 60000);
}

function clock(slider) {
  const timeZone = slider.closest("[data-zone]").dataset.zone;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(moment(slider));
}

function shown(slider) {
  return slider.closest("td").querySelector("[data-opening-time]");
}

const moved = (slider) => slider.value !== slider.defaultValue;

function follow(slider) {
  const text = shown(slider);
  text.dataset.was ??= text.innerHTML;
  if (moved(slider)) {
    text.dataset.moved = "";
    text.textContent = dragging ? clock(slider) : `${clock(slider)} · ${slider.closest("[data-rooms]").dataset.how}`;
  } else {
    leave(slider);
  }
  slider.setAttribute("aria-valuetext", clock(slider));
}

function leave(slider) {
  const text = shown(slider);
  slider.value = slider.defaultValue;
  delete text.dataset.moved;
  if (text.dataset.was) text.innerHTML = text.dataset.was;
  slider.setAttribute("aria-valuetext", clock(slider));
}

function save(slider) {
  if (!moved(slider)) return;
  last = slider.id;
  const form = document.querySelector("[data-rooms] form [name=operation]");
  htmx.ajax("POST", slider.dataset.opening, {
    source: slider,
    target: "#list",
    swap: "outerHTML show:none",
    values: {
      open_at: moment(slider).toISOString(),
      zone: slider.dataset.roomZone,
      version: slider.dataset.version,
      knew: slider.dataset.knew,
      operation: form?.value ?? "",
      next: location.pathname + location.search,
    },
  });
}

const slider = (event) => event.target.closest?.("[data-opening]");

document.addEventListener("focusin", (event) => slider(event)?.setAttribute("aria-valuetext", clock(slider(event))));
document.addEventListener("input", (event) => slider(event) && follow(slider(event)));

// By pointer letting go saves; by keyboard Enter does.
document.addEventListener("pointerdown", (event) => {
  dragging = slider(event);
});
document.addEventListener("pointerup", () => {
  const held = dragging;
  dragging = null;
  if (held) setTimeout(() => save(held));
});
document.addEventListener(
  "keydown",
  (event) => {
    const held = slider(event);
    if (!held) return;
    if (event.key === "Enter") {
      event.preventDefault();
      save(held);
    } else if (event.key === "Escape" && moved(held)) {
      event.preventDefault();
      event.stopPropagation();
      leave(held);
    }
  },
  true,
);
document.addEventListener("focusout", (event) => {
  const held = slider(event);
  if (held && held !== dragging && !document.querySelector(".htmx-request")) leave(held);
});
