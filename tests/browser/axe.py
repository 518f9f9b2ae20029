"""What axe says of a page, in every look that it has: both widths, both themes."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from django.urls import resolve
from playwright.sync_api import Page

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


def complaints_in_every_look(page: Page) -> list[str]:
    """The page as it is open, at both widths and in both themes, and whether anything is wider than the screen."""
    found = []
    # Last as it is to go on.
    for size in ("phone", "wide"):
        page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            said = complaints(page, OF_COLOURS if scheme == "dark" else None)
            found += [f"{size}, {scheme}: {each}" for each in said]
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{size}: {page.url} is {wider} px too wide"] if wider > 0 else []
    return found


def one_of_each(paths: Iterable[str]) -> list[str]:
    """A page of every address: what its parameters change looks alike in another theme or width."""
    found: dict[str | None, str] = {}
    for path in paths:
        found.setdefault(resolve(urlsplit(path).path).url_name, path)
    return list(found.values())


def walk(page: Page, pages: list[str], everywhere: set[str]) -> list[str]:
    """What axe finds on these pages; in every look on those of them that stand for the others."""
    found = []
    for path in pages:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints_in_every_look(page) if path in everywhere else complaints(page)
    return found
