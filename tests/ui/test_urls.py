"""Every address and its permission, as they are on record: a change shows in the change's own diff.

The walk in tests/accounts/test_permissions.py expects what a view declares, and would follow a wrong declaration.
"""

from __future__ import annotations

from tests.ui.walk import URLS, list_urls


def test_every_address_has_the_permission_on_record() -> None:
    assert list_urls().splitlines() == URLS.read_text().splitlines(), "if this is meant, run: make golden"
