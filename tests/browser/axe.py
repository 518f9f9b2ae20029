"""What axe says of a page, at both widths and in both themes."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from django.urls import resolve
from playwright.sync_api import Page

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}


# Without `resultTypes` axe also describes every element that passes, which takes as long as all rules together; and
# only what it finds wrong comes back: its whole answer takes another third of that time on the way here.
RUN = """() => axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))"""


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
    """The page as it is open, on a phone and on a desk, and whether anything is wider than the screen.

    A theme is a browser of its own: where it is changed in place, Chromium keeps some backgrounds of the other.
    """
    found = []
    # Last as it is to go on.
    for name in ("phone", "wide"):
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]
        found += [f"{name}: {each}" for each in complaints(page)]
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{name}: {page.url} is {wider} px too wide"] if wider > 0 else []
    return found


def one_of_each(paths: Iterable[str]) -> list[str]:
    """A page of every address: what its parameters change looks alike in another theme or width."""
    found: dict[str | None, str] = {}
    for path in paths:
        found.setdefault(resolve(urlsplit(path).path).url_name, path)
    return list(found.values())


def walk(page: Page, pages: list[str], everywhere: set[str]) -> list[str]:
    """What axe finds on these pages; at both widths on those of them that stand for the others."""
    found = []
    # Once for the walk, not half a megabyte for each page; not in the frames of a page, as without this.
    page.add_init_script(f"if (window === window.top) {{ {AXE_SCRIPT} }}")
    for path in pages:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints_at_both_widths(page) if path in everywhere else complaints(page)
    return found


def halves(pages: Iterable[str]) -> tuple[list[str], list[str], set[str]]:
    """What two workers look at, every page of it, and which at both widths."""
    every = list(pages)
    return every[::2], every[1::2], set(one_of_each(every))
