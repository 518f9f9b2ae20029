"""Every URL has the permission that is recorded in urls.txt, so a diff shows each change of a permission.

tests/accounts/test_permissions.py expects the permission that a view declares, so it cannot find a wrong declaration.
"""

from __future__ import annotations

from tests.ui.walk import URLS, list_urls


def test_every_url_has_the_recorded_permission() -> None:
    assert list_urls().splitlines() == URLS.read_text().splitlines(), "if the change is intended, run: make golden"
