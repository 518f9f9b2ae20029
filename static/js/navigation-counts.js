// Shows how much work waits: a count at the link of the sidebar, and their sum in the tab's title.
const EVERY = 60000;
// A page that is opened soon after another one shows the same counts without a request.
const FRESH = 20000;
const STORED = "navigation-counts";

const sidebar = document.querySelector("[data-counts]");
let requestedAt = 0;
let total = "";

const withoutCount = (title) => title.replace(/^\(\d+\+?\) /, "");

function showTitle() {
  const title = (total ? `(${total}) ` : "") + withoutCount(document.title);
  if (document.title !== title) document.title = title;
}

function show(answer) {
  total = answer.title;
  showTitle();
  for (const element of sidebar.querySelectorAll("[data-nav-count]")) {
    const count = answer.counts[element.dataset.navCount];
    element.hidden = !count;
    element.title = count?.label ?? "";
    element.firstElementChild.textContent = count?.text ?? "";
    element.lastElementChild.textContent = count?.label ?? "";
  }
}

function stored() {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORED));
    return found?.of === sidebar.dataset.countsOf && Date.now() - found.at < FRESH ? found : null;
  } catch {
    return null;
  }
}

async function request() {
  requestedAt = Date.now();
  try {
    const response = await fetch(sidebar.dataset.counts, { headers: { "HX-Request": "true" } });
    if (!response.ok || !response.headers.get("Content-Type")?.includes("json")) return;
    const answer = await response.json();
    show(answer);
    sessionStorage.setItem(STORED, JSON.stringify({ of: sidebar.dataset.countsOf, at: requestedAt, answer }));
  } catch {
    // Without a connection or storage the counts stay as they are.
  }
}

function refresh() {
  if (!document.hidden && Date.now() - requestedAt >= EVERY) request();
}

if (sidebar) {
  const found = stored();
  if (found) {
    requestedAt = found.at;
    show(found.answer);
  } else if (!document.hidden) {
    request();
  }
  setInterval(refresh, 1000);
  document.addEventListener("visibilitychange", refresh);
  // A decision changes the counts. Several in a row are one request.
  let timer = 0;
  document.addEventListener("work-changed", () => {
    clearTimeout(timer);
    timer = setTimeout(request, 1500);
  });
  // A swapped page sets its own title.
  new MutationObserver(showTitle).observe(document.querySelector("title"), { childList: true });
}
