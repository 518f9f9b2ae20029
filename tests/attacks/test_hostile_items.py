"""Items that an outside writer puts into our indexes break no page and show nothing to other businesses."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from bookings.queries.bookings import agenda
from dashboard.platform.stream.batches import MAX_KINDS, RepairTally, added_kinds
from dashboard.table.masking import MASK, masked_item
from dashboard.table.tenancy import Binding, bind
from tests.businesses.business_pages import put_raw
from tests.conftest import add_business
from tests.ui.world import World

UNKNOWN = {"PK": "WEATHER", "SK": "TODAY"}


def raw(**values: Any) -> dict[str, Any]:
    return {name: {"S": value} if isinstance(value, str) else value for name, value in values.items()}


@pytest.mark.parametrize(
    ("item", "url"),
    [
        (UNKNOWN | {"GSITypePK": "TENANTS", "GSITypeSK": "a#a"}, "/businesses/"),
        (UNKNOWN | {"GSI2PK": "ACCOUNTS", "GSI2SK": "a@example.com"}, "/people/"),
        (UNKNOWN | {"GSI1PK": "OPS#{admin}", "GSI1SK": "2030-01-01T00:00:00Z"}, "/operations/"),
        ({"PK": "TENANT#andina", "SK": "APIKEY#a#b"}, "/b/andina/keys/"),
        ({"PK": "SYSTEM", "SK": "FOUND#a#b"}, "/table/found/"),
        ({"PK": "SYSTEM", "SK": "FOUND#odd", "kinds": {"M": {"service": {"M": {}}}}}, "/table/found/"),
        ({"PK": "SYSTEM", "SK": "OUTSIDEOWNER#a#b"}, "/table/found/?show=owners"),
        ({"PK": "STREAM#{table}", "SK": "TOTALS", "kinds": {"M": {"post": {"L": []}}}}, "/table/"),
    ],
)
def test_a_list_leaves_out_items_that_do_not_belong_into_it(world: World, item: dict[str, Any], url: str) -> None:
    parts = {"{admin}": world.people["admin"].email, "{table}": settings.DYNAMODB_TABLE}
    for placeholder, value in parts.items():
        item = {n: v.replace(placeholder, value) if isinstance(v, str) else v for n, v in item.items()}
    put_raw(raw(**item))
    assert world.browser("admin").get(url).status_code == 200


def test_a_booking_in_an_index_of_another_business_is_not_shown(table: str) -> None:
    for business in ("andina", "foreign"):
        add_business(business, business)
        start = f"2026-11-19T12:00:00Z#{business}"
        put_raw(
            raw(
                PK=f"TENANT#{business}#PROVIDER#p",
                SK=f"BOOKING#{start}",
                GSITypePK="TENANT#andina#BOOKING",
                GSITypeSK="2026-11-19T12:00:00Z",
                status="CONFIRMED",
                clientFirstName=business,
            )
        )
    with bind(Binding("andina")):
        assert [each.id for each in agenda("andina").items] == ["andina"]


def test_the_follower_counts_a_limited_number_of_kinds() -> None:
    tally, batch = RepairTally(), RepairTally()
    for number in range(3 * MAX_KINDS):
        batch.kinds = added_kinds({}, {f"kind {number}": 1})
        tally.add(batch)
    assert len(tally.kinds) == MAX_KINDS + 1 and tally.kinds.total() == 3 * MAX_KINDS


@pytest.mark.parametrize(
    "name", ["pepperedHash", "api_key", "api_key_hash", "private_key", "stripeKey", "pwd", "otp", "pin", "bearer"]
)
def test_secrets_are_hidden_whatever_they_are_called(name: str) -> None:
    assert masked_item({name: {"S": "secret value"}}) == {name: {"S": MASK}}


def test_an_owner_is_not_linked_to_a_disabled_person_or_an_impossible_business(world: World) -> None:
    browser: Client = world.browser("admin")
    form = {"owner": "sub-1", "business": "andina", "email": world.people["disabled"].email, "revision": 0}
    assert browser.post("/table/found/owner/", form).status_code == 422
    form = {"owner": "sub-1", "business": "a#b", "email": world.people["owner"].email, "revision": 0}
    assert browser.post("/table/found/owner/", form).status_code == 404
