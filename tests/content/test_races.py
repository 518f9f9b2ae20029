"""Sixteen writers on the same five pages with lost replies: no version, no text and no address gets lost."""

from __future__ import annotations

import pytest

from tests.conftest import real_engines
from tests.content.site_races import check_site, race

WRITERS, ACTIONS = 16, 8


@real_engines
@pytest.mark.slow
def test_versions_addresses_and_cards_stay_consistent(table: str) -> None:
    nodes, attempts, faults = race(WRITERS, ACTIONS)
    made = check_site(nodes, attempts)
    assert faults > 0
    assert {"save", "rename", "restore", "publish"} <= made.keys()
