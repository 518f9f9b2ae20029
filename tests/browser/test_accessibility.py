"""axe on every page, and nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from django.urls import resolve
from playwright.sync_api import Page

from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.table.operations import new_operation
from tests.browser.conftest import Open
from tests.conftest import ALMA, add_person
from tests.ui.walk import World

SIZES = {"wide": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
# A page that is not there, a page marker that is not ours, a method that is not taken.
REFUSED = ("/nothing-here/", "/people/?cursor=forged", "/people/bulk/")
WIDTHS = (360, 768, 1280, 1920)
SERIOUS = {"serious", "critical"}
LONG = "Maximiliana Bartolomea de los Ángeles Fernández-Villaseñor y Etxeberria-Goikoetxea de la Santísima"


def complaints(page: Page) -> list[str]:
    """What axe finds serious, in a line each."""
    # Without this axe also describes every element that passes, which takes as long as all rules together.
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{page.url} {rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def one_of_each(paths: Iterable[str]) -> list[str]:
    """A page of every address: what its parameters change looks alike in another theme or width."""
    found: dict[str | None, str] = {}
    for path in paths:
        found.setdefault(resolve(urlsplit(path).path).url_name, path)
    return list(found.values())


def look_everywhere(open_as: Open, world: World, size: str, scheme: str, pages: Iterable[str]) -> list[str]:
    """What axe finds on these pages, on refusals, in a conflict and in what opens above a page."""
    look = {"viewport": SIZES[size], "color_scheme": scheme, "reduced_motion": "reduce"}
    page = open_as(None, "/login/", **look)
    found = complaints(page)
    page.get_by_label("E-mail").fill("a")
    page.keyboard.press("Enter")
    page.locator("[data-errors]").wait_for()
    found += complaints(page)
    page = open_as("admin", "/", **look)
    for path in [*pages, *REFUSED]:
        answer = page.goto(path)
        if answer and answer.headers["content-type"].startswith("text/html"):
            found += complaints(page)
    stranger = open_as("moderator", "/people/", **look)
    found += complaints(stranger)
    page.goto("/people/marco@example.com/")
    people.edit("marco@example.com", name="Marco", role=Role.STAFF, seen=1, operation=new_operation(ALMA))
    page.get_by_role("button", name="Save").click()
    page.locator(".conflict").wait_for()
    found += complaints(page)
    page.goto("/")
    page.keyboard.press("Control+k")
    page.locator("#palette [role=option]").first.wait_for()
    found += complaints(page)
    page.keyboard.press("Escape")
    page.locator("#palette").wait_for(state="hidden")
    page.keyboard.press("?")
    page.locator("#keys").wait_for()
    found += complaints(page)
    return found


def test_axe_finds_nothing_serious(open_as: Open, world: World) -> None:
    assert look_everywhere(open_as, world, "wide", "light", world.html("admin")) == []


def test_nothing_is_wider_than_the_screen(open_as: Open, world: World) -> None:
    """A page is loaded once and then given each width: no script has a say in how wide anything is."""
    long_email = f"{'very-long-name-' * 4}@{'department.' * 10}example.com"
    add_person(long_email, Role.OWNER, LONG)
    page = open_as("admin", "/", viewport={"width": WIDTHS[0], "height": 800})
    pages = world.html("admin")
    everywhere = {*one_of_each(pages), f"/people/{long_email}/"}
    too_wide = []
    for path in sorted({*pages, *everywhere}):
        page.goto(path)
        for width in WIDTHS if path in everywhere else WIDTHS[:1]:
            page.set_viewport_size({"width": width, "height": 800})
            shown, overflow = page.evaluate(
                "(({ scrollWidth, clientWidth }) => [innerWidth, scrollWidth - clientWidth])(document.documentElement)"
            )
            assert shown == width
            too_wide += [f"{path} is {overflow} px too wide at {width}"] if overflow > 0 else []
    assert too_wide == []


def test_touch_targets_on_a_phone(open_as: Open) -> None:
    page = open_as("admin", "/people/", viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a.button, button, select, input:not([type=hidden]))")]
            .filter((element) => element.checkVisibility() && !element.closest(".sr-only"))
            .map((element) => [element.closest("label") ?? element, element.outerHTML.slice(0, 80)])
            .map(([element, html]) => [element.getBoundingClientRect().height, html])
            .filter(([height]) => height < 43.5)"""
    )
    assert small == []
