"""Slots through the API: the same starts as in the back office, in two round trips."""

from __future__ import annotations

from typing import Any

import pytest

from bookings.slots import UnavailableReason
from dashboard.table.timestamps import to_wire
from tests.api.shop import SITE, book, code_of, get, public_key, secret_key
from tests.bookings.bookable_business import at, provider, put, service, working_hours
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("shop")
DAY, NEXT_DAY, NEXT_WEEK = to_wire(at(0)), to_wire(at(0, day=1)), to_wire(at(0, day=7))


def slots(secret: str, query: str = "", **headers: str) -> Any:
    return get(secret, f"slots?service=masaje&from={DAY}&to={NEXT_DAY}{query}", **headers)


def test_the_free_starts_of_a_staff_member_are_those_within_their_hours() -> None:
    secret = secret_key()
    book(secret, to_wire(at(12)), provider="maria")
    body = slots(secret, "&provider=maria").json()
    starts = [each["start"] for each in body["slots"]]
    assert starts[0] == to_wire(at(9)) and starts[-1] == to_wire(at(17))
    assert to_wire(at(11)) in starts and to_wire(at(13)) in starts
    assert not {to_wire(at(11, 15)), to_wire(at(12)), to_wire(at(12, 45))} & set(starts)
    assert body["slots"][0] == {"start": to_wire(at(9)), "end": to_wire(at(10)), "provider": "maria"}
    assert body["unavailable"] == []


def test_anyone_is_everyone_who_offers_the_service() -> None:
    put(provider("anna", "other"), *working_hours("anna"))
    put(provider("away", active=False), *working_hours("away"))
    secret = secret_key()
    book(secret, to_wire(at(9)), provider="maria")
    found = [(each["start"], each["provider"]) for each in slots(secret).json()["slots"]]
    assert found[0] == (to_wire(at(9)), "pedro")
    assert {who for _, who in found} == {"maria", "pedro"}
    assert found == sorted(found)


def test_every_slot_can_be_booked_and_no_other_start() -> None:
    secret = secret_key()
    book(secret, to_wire(at(12)), provider="maria")
    body = slots(secret, "&provider=maria&reasons=true").json()
    free, others = body["slots"], body["unavailable"]
    assert {each["reason"] for each in others} == {UnavailableReason.TAKEN, UnavailableReason.OUTSIDE_HOURS}
    for each in (others[0], next(each for each in others if each["reason"] == "taken")):
        assert book(secret, each["start"], provider="maria").status_code in {409, 422}
    for each in (free[0], free[-1]):
        assert book(secret, each["start"], provider="maria").status_code == 201


@pytest.mark.parametrize("who", ["maria", "any"])
def test_a_week_of_slots_costs_two_round_trips_with_the_check_of_the_key(who: str) -> None:
    secret = secret_key()
    get(secret, "whoami")  # Records the use of the key.
    answer = get(secret, f"slots?service=masaje&from={DAY}&to={NEXT_WEEK}&provider={who}")
    assert answer.status_code == 200 and len(answer.json()["slots"]) > 200
    assert calls_of(answer).trips == 2


@pytest.mark.parametrize(
    "query",
    [
        "&provider=maria&provider=pedro",
        "&colour=red",
        "&reasons=perhaps",
        "&from=x",
    ],
)
def test_a_wrong_query_is_refused(query: str) -> None:
    assert code_of(slots(secret_key(), query)) == (422, "invalid")


@pytest.mark.parametrize(
    ("since", "until", "field"),
    [
        (NEXT_DAY, DAY, "to"),
        (DAY, DAY, "to"),
        (DAY, to_wire(at(0, day=8)), "to"),
        ("0001-01-01T00:00:00Z", DAY, "from"),
        (DAY, "9999-12-31T23:59:59Z", "from"),
        ("2026-01-01T00:00:00", DAY, "from"),
        ("2026-01-01", DAY, "from"),
    ],
)
def test_a_wrong_period_is_refused(since: str, until: str, field: str) -> None:
    refused = get(secret_key(), f"slots?service=masaje&from={since}&to={until}")
    assert (code_of(refused), refused.json()["field"]) == ((422, "invalid"), field)


@pytest.mark.parametrize("query", ["&provider=nobody", "&provider=a%23b", "&provider=away"])
def test_an_unknown_staff_member_is_not_found(query: str) -> None:
    put(provider("away", active=False), *working_hours("away"))
    assert code_of(slots(secret_key(), query)) == (404, "not_found")


def test_an_unknown_service_is_not_found() -> None:
    put(service("old", active=False))
    for name in ("nothing", "old", "a%23b"):
        for who in ("any", "maria"):
            answer = get(secret_key(), f"slots?service={name}&from={DAY}&to={NEXT_DAY}&provider={who}")
            assert code_of(answer) == (404, "not_found")


def test_the_catalog_shows_what_can_be_booked() -> None:
    put(service("old", active=False), provider("away", active=False))
    for secret, headers in ((secret_key("read"), {}), (public_key(), {"Origin": SITE})):
        (found,) = get(secret, "services", **headers).json()["services"]
        assert (found["id"], found["durationMinutes"], found["price"]) == ("masaje", 60, "25000")
        people = get(secret, "providers?service=masaje", **headers).json()["providers"]
        assert [(each["id"], each["timezone"]) for each in people] == [("maria", "UTC"), ("pedro", "UTC")]
        assert get(secret, "providers?service=other", **headers).json() == {"providers": [], "next": None}
        one = get(secret, "services/masaje", **headers)
        assert one.json() == found
        assert get(secret, "services/masaje", **{"If-None-Match": one.headers["ETag"]}, **headers).status_code == 304
        assert get(secret, "providers/maria", **headers).json() == people[0]
        for path in ("services/old", "services/x", "providers/away", "providers/x", "services/a%23b"):
            assert code_of(get(secret, path, **headers)) == (404, "not_found")
