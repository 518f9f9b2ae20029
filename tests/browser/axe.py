"""What axe says of a page, and whether it fits the screen.

axe runs in the light theme, at one width. Contrast in the dark follows from the design tokens
(tests/ui/test_theme_contrast.py), and names are checked on every page for everyone (tests/ui/test_names.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}
# Where nothing may be wider than the screen.
WIDTHS = (360, 768)


# Without `resultTypes` axe also describes every element that passes, which takes as long as all rules together; and
# only what it finds wrong comes back: its whole answer takes another third of that time on the way here.
# Nor does it ask frames, in which it is not loaded: it would wait half a second for each to say so.
RUN = """() => axe.run(document, { resultTypes: ["violations"], iframes: false })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))"""
MEASURE = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [innerWidth, scrollWidth - clientWidth];
}"""


def complaints(page: Page) -> list[str]:
    """What axe finds serious, in a line each."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in page.evaluate(RUN)
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def complaints_at_both_widths(page: Page) -> list[str]:
    """What axe finds on a desk, and whether anything is wider than a desk or a phone."""
    found = []
    # Last as it is to go on.
    for name in ("phone", "wide"):
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]
        found += too_wide(page)
    return found + complaints(page)


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


def walk(page: Page, pages: Iterable[str]) -> list[str]:
    """What axe finds on these pages, and what is too wide there."""
    found = []
    # Once for the walk, not half a megabyte for each page; not in the frames of a page, as without this.
    page.add_init_script(f"if (window === window.top) {{ {AXE_SCRIPT} }}")
    for path in pages:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints(page) + too_wide_anywhere(page, WIDTHS[:1])
    return found
