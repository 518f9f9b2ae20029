"""Checks a page with axe, and checks that it is not wider than the screen.

axe runs in the light theme, at one width. The contrast of the dark theme is computed from the design tokens
(tests/ui/test_theme_contrast.py), and accessible names are checked on every page (tests/ui/test_accessible_names.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}
# Rules whose violations count although axe rates them lower: screen readers list landmarks by their names.
OTHER_RULES = {"landmark-unique"}
# At these widths no page may be wider than the screen.
WIDTHS = (360, 768)


# Without `resultTypes` axe also describes every element that passes, which takes as long as all rules together. Only
# the violations are returned: to transfer the whole result would take another third of that time.
# `iframes: false`: axe is not loaded in frames and would wait half a second for each of them.
RUN = """() => axe.run(document, { resultTypes: ["violations"], iframes: false })
    .then(({ violations }) => violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))"""
MEASURE = """() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [innerWidth, scrollWidth - clientWidth];
}"""


def complaints(page: Page) -> list[str]:
    """The serious and critical violations that axe finds, and those of `OTHER_RULES`, one line each."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in page.evaluate(RUN)
        if rule["impact"] in SERIOUS or rule["id"] in OTHER_RULES
        for node in rule["nodes"]
    ]


def complaints_at_both_widths(page: Page) -> list[str]:
    """What axe finds at desktop width, and what is too wide at desktop or phone width."""
    found = []
    # The desktop width is last, because the test continues with it.
    for name in ("phone", "wide"):
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]
        found += too_wide(page)
    return found + complaints(page)


def too_wide(page: Page) -> list[str]:
    """A message if the page is wider than the window. Waits, because the layout may still be changing."""
    for pause in (0, 100, 400):
        page.wait_for_timeout(pause)
        width, wider = page.evaluate(MEASURE)
        if wider <= 0:
            return []
    return [f"{page.url} is {wider} px too wide at {width}"]


def too_wide_anywhere(page: Page, widths: Iterable[int] = WIDTHS) -> list[str]:
    """Checks a page at several widths without reloading it: no width depends on a script."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        found += too_wide(page)
    page.set_viewport_size(SIZES["wide"])  # type: ignore[arg-type]
    return found


def check_pages(page: Page, pages: Iterable[str]) -> list[str]:
    """Opens each page: what axe finds there, and what is too wide."""
    found = []
    # One init script for all pages, instead of half a megabyte sent for each; not loaded in frames.
    page.add_init_script(f"if (window === window.top) {{ {AXE_SCRIPT} }}")
    for path in pages:
        with opened(page, path) as checked:
            if checked is not None:
                found += complaints(checked) + too_wide_anywhere(checked, WIDTHS[:1])
    return found


@contextmanager
def opened(page: Page, path: str) -> Iterator[Page | None]:
    """The page at this path; None if it is not HTML.

    Where a policy forbids all scripts, those of a test would never be answered: the page is then opened without it.
    """
    answer = page.goto(path)
    if answer is None or not answer.headers["content-type"].startswith("text/html"):
        yield None
    elif "sandbox" not in answer.headers.get("content-security-policy", ""):
        yield page
    else:
        assert page.context.browser is not None
        with page.context.browser.new_context(bypass_csp=True, viewport=page.viewport_size) as context:
            context.add_cookies(
                [{"name": each["name"], "value": each["value"], "url": page.url} for each in page.context.cookies()]
            )
            copy = context.new_page()
            copy.goto(page.url)
            yield copy
