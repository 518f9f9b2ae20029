"""axe on every page, at both widths. The walk is in three files, for three workers."""

from __future__ import annotations

import pytest

from dashboard.accounts.permissions import Role
from dashboard.accounts.services import people
from dashboard.table.operations import new_operation
from tests.browser.axe import SIZES, complaints_at_both_widths, halves, walk
from tests.browser.conftest import Open
from tests.conftest import ALMA
from tests.ui.walk import World

# A page that is not there, a page marker that is not ours, a method that is not taken.
REFUSED = ("/nothing-here/", "/people/?cursor=forged", "/people/bulk/")


def test_axe_finds_nothing_serious_on_half_of_the_pages(open_as: Open, world: World) -> None:
    pages, _others, everywhere = halves(world.addresses("admin"))
    page = open_as("admin", "/", viewport=SIZES["wide"], reduced_motion="reduce")
    assert walk(page, pages, everywhere) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_besides(open_as: Open, scheme: str) -> None:
    """Refusals, a conflict, and what opens above a page."""
    look = {"viewport": SIZES["wide"], "color_scheme": scheme, "reduced_motion": "reduce"}
    page = open_as(None, "/login/", **look)
    found = complaints_at_both_widths(page)
    page.get_by_label("E-mail").fill("a")
    page.keyboard.press("Enter")
    page.locator("[data-errors]").wait_for()
    found += complaints_at_both_widths(page)
    found += complaints_at_both_widths(open_as("moderator", "/people/", **look))
    page = open_as("admin", "/", **look)
    found += walk(page, list(REFUSED), set(REFUSED))
    page.goto("/people/marco@example.com/")
    people.edit("marco@example.com", name="Marco", role=Role.STAFF, seen=1, operation=new_operation(ALMA))
    page.get_by_role("button", name="Save").click()
    page.locator(".conflict").wait_for()
    found += complaints_at_both_widths(page)
    page.goto("/")
    page.keyboard.press("Control+k")
    page.locator("#palette [role=option]").first.wait_for()
    found += complaints_at_both_widths(page)
    page.keyboard.press("Escape")
    page.locator("#palette").wait_for(state="hidden")
    # The focus goes back a moment later, and a key in a field is a letter.
    page.wait_for_function("!document.activeElement.closest('dialog')")
    page.keyboard.press("?")
    page.locator("#keys").wait_for()
    found += complaints_at_both_widths(page)
    assert found == []


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
