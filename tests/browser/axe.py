"""What axe says of a page, at both widths and in both themes."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from django.urls import resolve
from playwright.sync_api import Page

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}
# Where nothing may be wider than the screen: every page at the first, one of each address at all of them.
WIDTHS = (360, 768, 1920)


# Without `resultTypes` axe also describes every element that passes, which takes as long as all rules together; and
# only what it finds wrong comes back: its whole answer takes another third of that time on the way here.
# Nor does it ask frames, in which it is not loaded: it would wait half a second for each to say so.
RUN = """(rules) => axe.run(document, { resultTypes: ["violations"], iframes: false, ...(rules && { runOnly: rules }) })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))"""
MEASURE = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [innerWidth, scrollWidth - clientWidth];
}"""


# What another theme can change.
COLOURS = ["color-contrast", "link-in-text-block"]


def complaints(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe finds serious, in a line each; `rules` where only some of them matter."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in page.evaluate(RUN, rules)
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def complaints_at_both_widths(page: Page, rules: list[str] | None = None) -> list[str]:
    """The page as it is open, on a phone and on a desk, and whether anything is wider than the screen.

    A theme is a browser of its own: where it is changed in place, Chromium keeps some backgrounds of the other.
    """
    found = []
    # Last as it is to go on.
    for name in ("phone", "wide"):
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]
        found += [f"{name}: {each}" for each in complaints(page, rules)]
        found += too_wide(page)
    return found


def too_wide(page: Page) -> list[str]:
    """What a window that was just given another width shows in between does not count: only what stays."""
    for pause in (0, 100, 400):
        page.wait_for_timeout(pause)
        width, wider = page.evaluate(MEASURE)
        if wider <= 0:
            return []
    return [f"{page.url} is {wider} px too wide at {width}"]


def too_wide_anywhere(page: Page, widths: Iterable[int] = WIDTHS) -> list[str]:
    """A page is loaded once and then given each width: no script has a say in how wide anything is."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        found += too_wide(page)
    page.set_viewport_size(SIZES["wide"])  # type: ignore[arg-type]
    return found


def one_of_each(paths: Iterable[str]) -> list[str]:
    """A page of every address: what its parameters change looks alike in another theme or width."""
    found: dict[str | None, str] = {}
    for path in paths:
        found.setdefault(resolve(urlsplit(path).path).url_name, path)
    return list(found.values())


def walk(page: Page, pages: list[str], everywhere: set[str], rules: list[str] | None = None) -> list[str]:
    """What axe finds on these pages, at both widths on those that stand for the others.

    By all rules, also what is too wide: that is the same in another theme.
    """
    found = []
    # Once for the walk, not half a megabyte for each page; not in the frames of a page, as without this.
    page.add_init_script(f"if (window === window.top) {{ {AXE_SCRIPT} }}")
    for path in pages:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints_at_both_widths(page, rules) if path in everywhere else complaints(page, rules)
            if rules is None:
                found += too_wide_anywhere(page, WIDTHS if path in everywhere else WIDTHS[:1])
    return found


def halves(pages: Iterable[str]) -> tuple[list[str], list[str], set[str]]:
    """What two workers look at, every page of it, and which at both widths."""
    every = list(pages)
    return every[::2], every[1::2], set(one_of_each(every))
