"""A home page costs the same with 1,000 items and with many. `make bench ARGS=home` compares 1,000 with 100,000."""

from __future__ import annotations

import pytest

from dashboard.platform.accounts.items import Person
from tests.conftest import add_business, sign_in
from tests.home.many_items import measure, put_many


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_home_pages_cost_the_same_with_1000_and_with_4000_items(table: str, people_by_role: dict[str, Person]) -> None:
    add_business("andina", "Andina", "olivia@example.com")
    browsers = {name: sign_in(people_by_role[name]) for name in ("admin", "moderator", "staff", "owner")}
    put_many(range(1_000))
    few = measure(browsers)
    put_many(range(1_000, 4_000))
    assert measure(browsers) == few
    assert {trips for _calls, trips, _units in few.values()} <= {1, 2}
    assert {"admin /", "moderator /", "staff /", "owner /", "owner /b/andina/", "admin /b/andina/"} <= few.keys()
