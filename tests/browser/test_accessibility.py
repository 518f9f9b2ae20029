"""axe checks one page of every template; no page is wider than the screen."""

from __future__ import annotations

import pytest

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table.commands import new_command
from tests.browser.axe import SIZES, WIDTHS, check_pages, complaints, complaints_at_both_widths, opened, too_wide
from tests.browser.conftest import Open
from tests.conftest import ACTOR
from tests.ui.world import World

# A page that does not exist, an invalid cursor, a method that is not allowed.
ERROR_PAGES = ("/nothing-here/", "/people/?cursor=forged", "/people/bulk/")


# The pages are split into parts, for several workers.
PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_serious_in_any_template(open_as: Open, world: World, part: int) -> None:
    pages = world.one_of_each_template("admin")[part::PARTS]
    assert pages
    page = open_as("admin", "/", viewport=SIZES["wide"], reduced_motion="reduce")
    assert check_pages(page, pages) == []


@pytest.mark.parametrize("part", range(2))
def test_no_other_page_is_wider_than_a_phone(open_as: Open, world: World, part: int) -> None:
    checked = set(world.one_of_each_template("admin"))
    pages = [url for url in world.addresses("admin") if url not in checked][part::2]
    page = open_as("admin", "/", viewport={"width": WIDTHS[0], "height": 800}, reduced_motion="reduce")
    found = []
    for path in pages:
        with opened(page, path) as shown:
            found += too_wide(shown) if shown else []
    assert found == []


def test_axe_finds_nothing_serious_in_the_shell_on_a_phone(open_as: Open) -> None:
    page = open_as("admin", "/people/", viewport=SIZES["phone"], reduced_motion="reduce")
    found = complaints(page)
    page.get_by_role("button", name="Menu").click()
    assert found + complaints(page) == []


def test_axe_finds_nothing_serious_on_error_pages_conflicts_and_dialogs(open_as: Open) -> None:
    look = {"viewport": SIZES["wide"], "reduced_motion": "reduce"}
    page = open_as(None, "/login/", **look)
    found = complaints_at_both_widths(page)
    page.get_by_label("E-mail").fill("a")
    page.keyboard.press("Enter")
    page.locator("[data-errors]").wait_for()
    found += complaints_at_both_widths(page)
    found += complaints_at_both_widths(open_as("moderator", "/people/", **look))
    page = open_as("admin", "/", **look)
    found += check_pages(page, ERROR_PAGES)
    page.goto("/people/marco@example.com/")
    people.edit("marco@example.com", name="Marco", role=Role.STAFF, revision=1, command=new_command(ACTOR))
    page.get_by_role("button", name="Save").click()
    page.locator(".conflict").wait_for()
    found += complaints_at_both_widths(page)
    page.goto("/")
    page.keyboard.press("Control+k")
    page.locator("#palette [role=option]").first.wait_for()
    found += complaints_at_both_widths(page)
    page.keyboard.press("Escape")
    page.locator("#palette").wait_for(state="hidden")
    # Wait until the focus has left the field: there a key types a letter.
    page.wait_for_function("!document.activeElement.closest('dialog')")
    page.keyboard.press("?")
    page.locator("#keys").wait_for()
    found += complaints_at_both_widths(page)
    assert found == []


def test_touch_targets_on_a_phone_are_large_enough(open_as: Open) -> None:
    page = open_as("admin", "/people/", viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a.button, button, select, input:not([type=hidden]))")]
            .filter((element) => element.checkVisibility() && !element.closest(".sr-only"))
            .map((element) => [element.closest("label") ?? element, element.outerHTML.slice(0, 80)])
            .map(([element, html]) => [element.getBoundingClientRect().height, html])
            .filter(([height]) => height < 43.5)"""
    )
    assert small == []
