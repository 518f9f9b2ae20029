"""Pages with long names at every width."""

from __future__ import annotations

from dashboard.platform.accounts.permissions import Role
from tests.browser.axe import too_wide_anywhere
from tests.browser.conftest import Open
from tests.conftest import add_person

LONG_NAME = "Maximiliana Bartolomea de los Ángeles Fernández-Villaseñor y Etxeberria-Goikoetxea de la Santísima"


def test_long_names_do_not_widen_the_page(open_as: Open) -> None:
    long_email = f"{'very-long-name-' * 4}@{'department.' * 10}example.com"
    add_person(long_email, Role.OWNER, LONG_NAME)
    page = open_as("admin", "/")
    found = []
    for path in (f"/people/{long_email}/", "/people/"):
        page.goto(path)
        found += too_wide_anywhere(page)
    assert found == []
