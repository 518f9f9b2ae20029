"""Programs, people and widgets book the same day at once; `make bench ARGS=widgets` is the same with more of them."""

from __future__ import annotations

import pytest

from tests import chromium
from tests.crowd.race import race
from tests.table.notes import on_dynoxide


@on_dynoxide
def test_each_reported_success_is_applied_exactly_once(table: str, site: str) -> None:
    if chromium.path() is None:
        pytest.skip("Chromium is not installed.")
    result = race(programs=4, widgets=2, people=2, writes=2, site=site)
    assert result.faults, "the test needs lost replies"
    assert result.widgets.repeated >= 2, "it needs lost answers to forms, too"
    assert result.widgets.count("booking.create") and result.people.count("booking.create")
