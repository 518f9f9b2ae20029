"""Nothing is wider than the screen; and a second part of the walk with axe (see test_accessibility.py)."""

from __future__ import annotations

from dashboard.accounts.permissions import Role
from tests.browser.axe import SIZES, halves, one_of_each, walk
from tests.browser.conftest import Open
from tests.conftest import add_person
from tests.ui.walk import World

WIDTHS = (360, 768, 1280, 1920)
LONG = "Maximiliana Bartolomea de los Ángeles Fernández-Villaseñor y Etxeberria-Goikoetxea de la Santísima"


def test_axe_finds_nothing_serious_on_the_other_half(open_as: Open, world: World) -> None:
    _others, pages, everywhere = halves(world.addresses("admin"))
    page = open_as("admin", "/", viewport=SIZES["wide"], reduced_motion="reduce")
    assert walk(page, pages, everywhere) == []


def test_nothing_is_wider_than_the_screen(open_as: Open, world: World) -> None:
    """A page is loaded once and then given each width: no script has a say in how wide anything is."""
    long_email = f"{'very-long-name-' * 4}@{'department.' * 10}example.com"
    add_person(long_email, Role.OWNER, LONG)
    page = open_as("admin", "/", viewport={"width": WIDTHS[0], "height": 800})
    pages = world.addresses("admin")
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
