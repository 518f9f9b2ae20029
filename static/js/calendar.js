// The calendar: bookings are dragged, or moved by keyboard; an empty place is booked; the line of now goes on.
const grid = () => document.querySelector("[data-grid]");
const typing = (element) => element?.closest?.("input, select, textarea, [contenteditable]");
const columns = () => [...document.querySelectorAll("[data-grid] [data-col]")];
const body = (column) => column.querySelector(".cal-body");
const step = () => Number(grid().dataset.step) || 15;
const pixels = (column) => body(column).getBoundingClientRect().height / Number(column.dataset.minutes);
const moment = (column, minute) => new Date(Date.parse(column.dataset.start) + minute * 60000);

function clock(date) {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: grid().dataset.zone }).format(
    date,
  );
}

function say(text) {
  const place = document.getElementById("cal-live");
  if (place) place.textContent = text;
}

const worded = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

// --- A booking on its way ---
let held = null;
let ahead = 0;
// One that was dropped, until the server has answered.
let sent = null;

function begin(block, byKey) {
  const column = block.closest("[data-col]");
  const top = block.closest(".cal-block").getBoundingClientRect().top - body(column).getBoundingClientRect().top;
  const minute = Math.round(top / pixels(column));
  const ghost = document.createElement("div");
  ghost.className = "cal-ghost";
  held = { block, column, ghost, minute, from: { column, minute }, length: Number(block.dataset.length), byKey };
  block.closest(".cal-block").classList.add("cal-held");
  grid().dataset.moving = "";
  draw();
  if (byKey) say(worded(grid().dataset.said, told()));
}

function told() {
  const who = held.block.querySelector(".cal-who").textContent;
  return { who, time: clock(moment(held.column, held.minute)), column: held.column.dataset.name };
}

// What would speak against this place, as far as the page shows it: whoever drops it there is told by the server.
function against() {
  const { block, column, minute, length } = held;
  const { top } = body(column).getBoundingClientRect();
  const unit = pixels(column);
  const span = (element) => {
    const box = element.getBoundingClientRect();
    return [Math.round((box.top - top) / unit), Math.round((box.bottom - top) / unit)];
  };
  const all = (what) => [...body(column).querySelectorAll(what)];
  if (moment(column, minute) < Date.now() + ahead) return "past";
  const from = minute - Number(block.dataset.before || 0);
  const until = minute + length + Number(block.dataset.after || 0);
  const others = all(".cal-block:not([data-state=CANCELLED], [data-state=LAPSED]), .cal-buffer").filter(
    (each) => !each.contains(block) && each.dataset.of !== block.id,
  );
  if (others.map(span).some(([start, end]) => start < until && end > from)) return "taken";
  if (
    !all(".cal-open")
      .map(span)
      .some(([start, end]) => start <= minute && end >= minute + length)
  )
    return "closed";
  return "";
}

const warned = (text) => {
  const why = moved() && grid().dataset[against()];
  return why ? `${text}: ${why}` : text;
};

function draw() {
  const { ghost, column, minute, length } = held;
  const unit = pixels(column);
  ghost.style.top = `${minute * unit}px`;
  ghost.style.height = `${length * unit}px`;
  body(column).append(ghost);
  ghost.textContent = warned(`${clock(moment(column, minute))} ${held.block.querySelector(".cal-who").textContent}`);
  ghost.classList.toggle("cal-ghost-no", Boolean(moved() && against()));
}

// By the clock of midnight, not of where the columns begin: 10:10 is no step of fifteen.
function snapped(minute) {
  const first = Number(grid().dataset.first) % step();
  return Math.round((minute + first) / step()) * step() - first;
}

function go(column, minute) {
  const most = Number(column.dataset.minutes) - Math.min(held.length, step());
  held.column = column;
  held.minute = Math.max(0, Math.min(snapped(minute), most));
  draw();
}

function leave() {
  if (!held) return;
  const { block, ghost, byKey } = held;
  ghost.remove();
  block.closest(".cal-block")?.classList.remove("cal-held");
  delete grid().dataset.moving;
  held = null;
  if (byKey) {
    say(grid().dataset.left);
    block.focus();
  }
}

const moved = () => held && (held.column !== held.from.column || held.minute !== held.from.minute);

function drop() {
  const form = document.getElementById("cal-move");
  if (!form || !moved()) return leave();
  const { block, column, minute, ghost } = held;
  const values = {
    provider: column.dataset.provider,
    start: moment(column, minute).toISOString().replace(".000", ""),
    version: block.dataset.version,
  };
  // The form is what "Try again" sends where no answer comes.
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.setAttribute("action", `${new URL(block.href).pathname}reschedule/`);
  delete grid().dataset.moving;
  held = null;
  sent = { block, ghost };
  grid().setAttribute("aria-busy", "true");
  ghost.textContent = `${ghost.textContent.split(": ")[0]} · ${grid().dataset.waits}`;
  ghost.classList.remove("cal-ghost-no");
  say(grid().dataset.waits);
  // As a boosted form would: the answer's redirect is followed, and the address stays the calendar's.
  htmx
    .ajax("POST", form.getAttribute("action"), {
      source: form,
      target: "#main",
      select: "#main",
      swap: "outerHTML show:none",
      values,
      headers: { "HX-Boosted": "true" },
    })
    .then(answered, answered);
}

// Where the answer did not bring a calendar of its own, the booking is where it was.
function answered() {
  const { block, ghost } = sent;
  sent = null;
  ghost.remove();
  block.closest(".cal-block")?.classList.remove("cal-held");
  grid()?.removeAttribute("aria-busy");
  if (block.isConnected) say(grid().dataset.left);
}

// What comes meanwhile takes nothing out of anybody's hands.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, elt } = event.detail;
  if (!grid() || !target.contains(grid())) return;
  if ((held || sent) && elt.matches("[data-calendar]")) event.detail.shouldSwap = false;
  else if (held) {
    pressed = null;
    leave();
  }
});

// --- By pointer ---
let pressed = null;
const FAR = 5;

document.addEventListener("pointerdown", (event) => {
  const block = event.target.closest?.("[data-grid] [data-block]");
  // A finger scrolls: whoever moves by touch opens the booking, which has a form for it.
  if (!block || event.button !== 0 || event.pointerType === "touch") return;
  pressed = { block, x: event.clientX, y: event.clientY, inside: event.clientY - block.getBoundingClientRect().top };
});

document.addEventListener("pointermove", (event) => {
  if (!pressed) return;
  if (!event.buttons) {
    // Let go of outside the window.
    pressed = null;
    return leave();
  }
  if (!held) {
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR || sent) return;
    begin(pressed.block, false);
  }
  event.preventDefault();
  const column =
    columns().find((each) => {
      const box = each.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX < box.right;
    }) ?? held.column;
  const top = event.clientY - pressed.inside - body(column).getBoundingClientRect().top;
  go(column, top / pixels(column));
  nudge(event);
});

// At the edge the calendar scrolls along.
function nudge(event) {
  const box = grid().getBoundingClientRect();
  const edge = 40;
  if (event.clientX > box.right - edge) grid().scrollLeft += 12;
  else if (event.clientX < box.left + edge + 56) grid().scrollLeft -= 12;
  if (event.clientY > box.bottom - edge) grid().scrollTop += 12;
  else if (event.clientY < box.top + edge + 80) grid().scrollTop -= 12;
}

let dropped = 0;
document.addEventListener("pointerup", () => {
  if (pressed && held) {
    dropped = Date.now();
    drop();
  }
  pressed = null;
});
document.addEventListener("pointercancel", () => {
  pressed = null;
  leave();
});
document.addEventListener("dragstart", (event) => {
  if (event.target.closest?.("[data-grid]")) event.preventDefault();
});

// Letting go of a booking is no click on it; a click on an empty place books it.
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest?.("[data-grid]")) return;
    if (Date.now() - dropped < 300) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const column = event.target.closest("[data-new]");
    if (!column || !event.target.closest(".cal-body") || event.target.closest("a, button")) return;
    if (
      getComputedStyle(column.querySelector(".cal-body")).position !== "relative" ||
      !column.querySelector(".cal-body").clientHeight
    )
      return;
    if (getComputedStyle(document.querySelector(".cal-axis")).display === "none") return;
    const top = event.clientY - body(column).getBoundingClientRect().top;
    const minute = Math.floor(top / pixels(column) / step()) * step();
    const start = moment(column, Math.max(0, minute)).toISOString().replace(".000", "");
    location.href = `${column.dataset.new}&start=${encodeURIComponent(start)}`;
  },
  true,
);

// --- By keyboard ---
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

document.addEventListener(
  "keydown",
  (event) => {
    if (!grid() && !document.querySelector("[data-calendar]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (held?.byKey) return move(event);
    if (held && event.key === "Escape") {
      pressed = null;
      return leave();
    }
    if (typing(event.target) || document.querySelector("dialog[open]") || localStorage.getItem("keys") === "off")
      return;
    const block = event.target.closest?.("[data-block]");
    if (event.key === "m" && block) {
      event.preventDefault();
      event.stopPropagation();
      if (sent) say(grid().dataset.waits);
      else begin(block, true);
    } else if (event.key in ARROWS && !event.target.closest?.("[data-grid]")) {
      const way = { ArrowLeft: "[data-earlier]", ArrowRight: "[data-later]" }[event.key];
      if (!way || event.target.closest?.("[role=tablist], .tabs")) return;
      event.preventDefault();
      document.querySelector(`[data-calendar] ${way}`)?.click();
    }
  },
  true,
);

function move(event) {
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") return leave();
  if (event.key === "Enter") return drop();
  const way = ARROWS[event.key];
  if (!way) return;
  const all = columns();
  const column = all[Math.max(0, Math.min(all.indexOf(held.column) + way[0], all.length - 1))];
  go(column, held.minute + way[1] * step());
  held.ghost.scrollIntoView({ block: "nearest", inline: "nearest" });
  say(warned(worded("{time}, {column}", told())));
}

document.addEventListener("focusout", (event) => {
  if (held?.byKey && event.target === held.block && event.relatedTarget) leave();
});

// --- Where one looks first, and the time ---

function meet() {
  // Another day was chosen: a new booking begins with that one.
  const fresh = document.querySelector("[data-new-booking]");
  if (fresh) document.getElementById("cal-new")?.setAttribute("href", fresh.dataset.newBooking);
  const at = grid();
  if (!at) return;
  ahead = Date.parse(at.dataset.now) - Date.now();
  const just = at.querySelector("[data-just]");
  const there = just ?? at.querySelector("[data-now-line]") ?? at.querySelector("[data-block]");
  if (there && !("met" in at.dataset)) {
    const box = there.getBoundingClientRect();
    const own = at.getBoundingClientRect();
    at.scrollTop += box.top - own.top - own.height / 3;
    if (just) at.scrollLeft += Math.min(0, box.left - own.left - 64) + Math.max(0, box.right - own.right);
  }
  at.dataset.met = "";
  if (just && (document.activeElement === document.body || document.activeElement === document.getElementById("main")))
    just.focus({ preventScroll: true });
}

function tick() {
  for (const line of document.querySelectorAll("[data-now-line]")) {
    const column = line.closest("[data-col]");
    const minute = (Date.now() + ahead - Date.parse(column.dataset.start)) / 60000;
    line.hidden = minute < 0 || minute > Number(column.dataset.minutes);
    line.style.top = `${minute * pixels(column)}px`;
  }
}

setInterval(() => {
  if (grid()) tick();
}, 30000);
document.addEventListener("htmx:afterSettle", meet);
meet();
