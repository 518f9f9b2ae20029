"""Bookings through the API: create, read, list, confirm, cancel, reschedule."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bookings.queries.history import history_of
from bookings.states import Status
from dashboard.core.clock import frozen, now
from dashboard.table.timestamps import to_wire
from dashboard.web.api.messages import revision_in
from tests.api.shop import JUAN, SITE, book, bookings_of, code_of, get, public_key, secret_key, send
from tests.bookings.bookable_business import BUSINESS, at
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("shop")
TEN, ELEVEN = to_wire(at(10)), to_wire(at(11))


def test_a_booking_is_created_read_and_listed() -> None:
    secret = secret_key()
    created = book(secret, TEN, provider="maria", note="First visit")
    assert (created.status_code, revision_in(created.headers["ETag"])) == (201, 1)
    body = created.json()
    assert (body["status"], body["start"], body["end"]) == ("CONFIRMED", TEN, ELEVEN)
    assert (body["providerId"], body["serviceId"], body["serviceName"]) == ("maria", "masaje", "Masaje")
    assert (body["customerName"], body["note"], body["price"]) == ("Juan Pérez", "First visit", "25000")
    read = get(secret, f"bookings/{body['id']}")
    assert read.json() == body and read.headers["ETag"] == created.headers["ETag"]
    listed = get(secret, "bookings").json()
    assert listed == {"bookings": [{name: each for name, each in body.items() if name != "note"}], "next": None}
    entry = history_of(BUSINESS, "booking", body["id"])[0]
    assert entry.action == "booking.create"
    assert entry.actor["email"].startswith("key:") and entry.actor["name"].startswith("Server")


def test_anyone_is_the_first_who_is_free_and_nobody_is_booked_twice() -> None:
    secret = secret_key()
    providers = [book(secret, TEN).json()["providerId"] for _ in range(2)]
    assert providers == ["maria", "pedro"]
    third = book(secret, TEN)
    assert code_of(third) == (409, "slot_taken")
    assert third.json()["alternatives"][0] == ELEVEN
    assert "Juan" not in third.content.decode()
    assert len(bookings_of("maria")) == len(bookings_of("pedro")) == 1


@pytest.mark.parametrize(("start", "reason"), [("2020-01-06T10:00:00Z", "past"), (to_wire(at(20)), "outside hours")])
def test_a_start_outside_the_rules_is_refused_with_its_reason(start: str, reason: str) -> None:
    refused = book(secret_key(), start, provider="maria")
    assert code_of(refused) == (422, "not_bookable")
    assert refused.json()["reason"] == reason
    assert bookings_of() == []


def test_a_known_email_is_a_known_customer() -> None:
    secret = secret_key()
    first, second = (book(secret, start, provider="maria").json() for start in (TEN, ELEVEN))
    assert first["customerId"] == second["customerId"]
    own = get(secret, f"customers/{first['customerId']}/bookings").json()["bookings"]
    assert [each["start"] for each in own] == [ELEVEN, TEN]


def test_a_booking_is_confirmed_moved_and_cancelled_at_the_revision_that_was_read() -> None:
    secret = secret_key()
    created = book(secret, TEN, provider="maria", status="PENDING")
    path, tag = f"bookings/{created.json()['id']}", created.headers["ETag"]
    assert created.json()["status"] == "PENDING"
    assert code_of(send(secret, f"{path}/confirm")) == (428, "no_revision")
    assert code_of(send(secret, f"{path}/confirm", **{"If-Match": '"7"'})) == (412, "stale_revision")
    assert code_of(send(secret, f"{path}/confirm", **{"If-Match": "*"})) == (412, "stale_revision")
    confirmed = send(secret, f"{path}/confirm", **{"If-Match": tag})
    assert (confirmed.status_code, confirmed.json()["status"]) == (200, "CONFIRMED")
    assert code_of(send(secret, f"{path}/cancel", {"reason": "ill"}, **{"If-Match": tag})) == (412, "stale_revision")
    moved = send(secret, f"{path}/reschedule", {"start": ELEVEN}, **{"If-Match": confirmed.headers["ETag"]})
    assert (moved.json()["start"], moved.json()["providerId"]) == (ELEVEN, "maria")
    other = send(
        secret, f"{path}/reschedule", {"start": ELEVEN, "provider": "pedro"}, **{"If-Match": moved.headers["ETag"]}
    )
    assert other.json()["providerId"] == "pedro"
    cancelled = send(secret, f"{path}/cancel", {"reason": "ill"}, **{"If-Match": other.headers["ETag"]})
    assert (cancelled.json()["status"], cancelled.json()["cancelReason"]) == ("CANCELLED", "ill")
    (stored,) = bookings_of("pedro")
    assert (stored.status, stored.id) == (Status.CANCELLED, created.json()["id"])


def test_moving_to_a_taken_time_changes_nothing() -> None:
    secret = secret_key()
    book(secret, TEN, provider="maria")
    second = book(secret, ELEVEN, provider="maria")
    path = f"bookings/{second.json()['id']}/reschedule"
    refused = send(secret, path, {"start": TEN}, **{"If-Match": second.headers["ETag"]})
    assert code_of(refused) == (409, "slot_taken")
    assert sorted(each.start_key for each in bookings_of()) == [TEN, ELEVEN]


def test_an_unchanged_booking_is_answered_with_304() -> None:
    secret = secret_key()
    path = f"bookings/{book(secret, TEN).json()['id']}"
    tag = get(secret, path).headers["ETag"]
    for known, status in ((tag, 304), (f"W/{tag}", 304), (f'"2", {tag}', 304), ('"2", "3"', 200), ('"1"', 200)):
        assert get(secret, path, **{"If-None-Match": known}).status_code == status, known


def test_a_deadline_that_passes_changes_the_etag() -> None:
    secret, lapses_at = secret_key(), now() + timedelta(minutes=5)
    path = f"bookings/{book(secret, TEN, status='PENDING', lapsesAt=to_wire(lapses_at)).json()['id']}"
    tag = {"If-None-Match": get(secret, path).headers["ETag"]}
    assert get(secret, path, **tag).status_code == 304
    with frozen(lapses_at + timedelta(minutes=1)):
        assert get(secret, path, **tag).json()["status"] == "LAPSED"


def test_a_list_has_pages_and_a_cursor_belongs_to_its_list_and_key() -> None:
    secret = secret_key()
    starts = [to_wire(at(hour)) for hour in (9, 10, 11, 12, 13)]
    for start in starts:
        book(secret, start, provider="maria")
    found, cursor = [], ""
    while True:
        page = get(secret, f"bookings?limit=2&cursor={cursor}").json()
        found += [each["start"] for each in page["bookings"]]
        if page["next"] is None:
            break
        cursor = page["next"]
    assert found == starts
    for path in (f"bookings?provider=maria&cursor={cursor}", f"customers?cursor={cursor}", "bookings?cursor=x"):
        assert code_of(get(secret, path)) == (400, "bad_cursor")
    assert code_of(get(secret_key(), f"bookings?cursor={cursor}")) == (400, "bad_cursor")
    late = get(secret, f"bookings?from={starts[3]}&provider=maria&status=CONFIRMED").json()["bookings"]
    assert [each["start"] for each in late] == starts[3:]


def test_a_public_key_books_and_learns_nothing_about_the_customer() -> None:
    known = book(secret_key(), TEN, provider="maria").json()
    answer = send(
        public_key(),
        "bookings",
        {"service": "masaje", "start": ELEVEN, "customer": JUAN | {"name": "Someone"}},
        Origin=SITE,
    )
    assert answer.status_code == 201
    assert answer.headers["Access-Control-Allow-Origin"] == SITE
    assert not {"customerId", "customerName", "note"} & answer.json().keys()
    assert "Juan" not in answer.content.decode()
    assert {each.customer_id for each in bookings_of()} == {known["customerId"]}


WRONG: list[tuple[Any, str]] = [
    ({"service": 7}, "service"),
    ({"start": "tomorrow"}, "start"),
    ({"start": "2026-01-01T10:00:00"}, "start"),
    ({"start": "0001-01-01T00:00:00+14:00"}, "start"),
    ({"customer": {"name": "x", "email": "no address"}}, "email"),
    ({"customer": {"name": ""}}, "customer.name"),
    ({"customer": {"name": "a\x00b"}}, "customer.name"),
    ({"customer": None}, "customer"),
    ({"customerId": "x"}, "customer"),
    ({"note": "x" * 1001}, "note"),
    ({"status": "CANCELLED"}, "status"),
    ({"provider": "nobody"}, "provider"),
    ({"provider": "a#b"}, "provider"),
    ({"service": "nothing", "provider": "maria"}, "service"),
    ({"lapsesAt": "2020-01-01T00:00:00Z", "status": "PENDING"}, "lapses_at"),
]


@pytest.mark.parametrize(("change", "field"), WRONG)
def test_wrong_input_is_refused_and_names_the_field(change: dict[str, Any], field: str) -> None:
    body = {"service": "masaje", "start": TEN, "provider": "maria", "customer": JUAN} | change
    refused = send(secret_key(), "bookings", body)
    assert code_of(refused) == (422, "invalid")
    assert refused.json()["field"] == field
    assert bookings_of() == []


def test_unknown_members_are_refused_and_an_unknown_booking_is_not_found() -> None:
    secret = secret_key()
    assert code_of(book(secret, TEN, colour="red")) == (422, "invalid")
    for booking in ("nothing", "a%23b", "x" * 3000):
        assert code_of(get(secret, f"bookings/{booking}")) == (404, "not_found")
        assert code_of(send(secret, f"bookings/{booking}/confirm", **{"If-Match": '"1"'})) == (404, "not_found")


def test_reading_a_booking_costs_one_round_trip_beside_the_key() -> None:
    secret = secret_key()
    path = f"bookings/{book(secret, TEN).json()['id']}"
    assert calls_of(get(secret, path)).trips == 3
