"""The colours of the dark, by axe: a page of every address (see test_accessibility.py)."""

from __future__ import annotations

from tests.browser.axe import COLOURS, SIZES, one_of_each, walk
from tests.browser.conftest import Open
from tests.ui.walk import World


def test_axe_finds_nothing_serious_in_the_colours_of_the_dark(open_as: Open, world: World) -> None:
    pages = one_of_each(world.addresses("admin"))
    page = open_as("admin", "/", viewport=SIZES["wide"], color_scheme="dark", reduced_motion="reduce")
    assert walk(page, pages, set(pages), COLOURS) == []
