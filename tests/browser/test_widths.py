"""A second part of the walk with axe (see test_accessibility.py); and long names at every width."""

from __future__ import annotations

from dashboard.accounts.permissions import Role
from tests.browser.axe import SIZES, halves, too_wide_anywhere, walk
from tests.browser.conftest import Open
from tests.conftest import add_person
from tests.ui.walk import World

LONG = "Maximiliana Bartolomea de los Ángeles Fernández-Villaseñor y Etxeberria-Goikoetxea de la Santísima"


def test_axe_finds_nothing_serious_on_the_other_half(open_as: Open, world: World) -> None:
    _others, pages, everywhere = halves(world.addresses("admin"))
    page = open_as("admin", "/", viewport=SIZES["wide"], reduced_motion="reduce")
    assert walk(page, pages, everywhere) == []


def test_long_names_are_no_wider_than_the_screen(open_as: Open) -> None:
    long_email = f"{'very-long-name-' * 4}@{'department.' * 10}example.com"
    add_person(long_email, Role.OWNER, LONG)
    page = open_as("admin", "/")
    found = []
    for path in (f"/people/{long_email}/", "/people/"):
        page.goto(path)
        found += too_wide_anywhere(page)
    assert found == []
