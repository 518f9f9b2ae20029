"""What axe says of a page, at both widths and in both themes."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from django.urls import resolve
from playwright.sync_api import Page

from tests.ui.html import Element

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}
# What another theme can change; everything else is the same in the dark.
OF_COLOURS = ["color-contrast", "link-in-text-block"]


def complaints(page: Page, only: list[str] | None = None) -> list[str]:
    """What axe finds serious, in a line each."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    # Without this axe also describes every element that passes, which takes as long as all rules together.
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = only
    answer = page.evaluate("(options) => axe.run(document, options)", options)
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in answer["violations"]
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def complaints_at_both_widths(page: Page) -> list[str]:
    """The page as it is open, on a phone and on a desk, and whether anything is wider than the screen.

    In the dark only what colours can change is asked: the rest is the same. (A theme is a browser of its own: where it
    is changed in place, Chromium keeps some backgrounds of the other.)
    """
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = []
    # Last as it is to go on.
    for name in ("phone", "wide"):
        page.set_viewport_size(SIZES[name])  # type: ignore[arg-type]
        found += [f"{name}: {each}" for each in complaints(page, OF_COLOURS if dark else None)]
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{name}: {page.url} is {wider} px too wide"] if wider > 0 else []
    return found


def one_of_each(paths: Iterable[str]) -> list[str]:
    """A page of every address: what its parameters change looks alike in another theme or width."""
    found: dict[str | None, str] = {}
    for path in paths:
        found.setdefault(resolve(urlsplit(path).path).url_name, path)
    return list(found.values())


def telling(pages: dict[str, Element]) -> list[str]:
    """The pages that have an element which no page before them has: axe would say the same of the others again."""
    seen: set[object] = set()
    found = []
    for path, page in pages.items():
        here = {_kind(each) for each in page.walk()}
        if not here <= seen:
            found.append(path)
        seen |= here
    return found


def _kind(element: Element) -> object:
    """What axe judges an element by, but for its text: tag, attributes, class, and where it stands."""
    parent = element.parent
    where = (parent.tag, parent.attrs.get("class")) if parent else None
    says = tuple(element.attrs.get(name) for name in ("class", "role", "type", "data-level", "aria-current", "lang"))
    return element.tag, frozenset(element.attrs), says, where


def walk(page: Page, pages: list[str], everywhere: set[str]) -> list[str]:
    """What axe finds on these pages; at both widths on those of them that stand for the others."""
    found = []
    for path in pages:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints_at_both_widths(page) if path in everywhere else complaints(page)
    return found


def halves(pages: dict[str, Element]) -> tuple[list[str], list[str], set[str]]:
    """What two workers look at, and which pages of it at both widths."""
    everywhere = one_of_each(pages)
    chosen = list(dict.fromkeys([*everywhere, *telling(pages)]))
    return chosen[::2], chosen[1::2], set(everywhere)
