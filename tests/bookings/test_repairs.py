"""Bookings of outside writers, before and after the follower has repaired them."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from bookings import repairs
from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import BookingRef, ProviderDay
from bookings.queries import bookings as queries
from bookings.queries import calendar as calendar_queries
from bookings.queries import providers as providers_queries
from bookings.queries import unlisted_bookings
from bookings.services import bookings as services
from bookings.services import providers
from bookings.states import Status
from dashboard.core.clock import frozen, now
from dashboard.core.errors import NotFound
from dashboard.core.ids import new_id
from dashboard.platform.due import runner
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, MONDAY, at, book, open_shop, reloaded
from tests.bookings.conversations import begin, take_over
from tests.bookings.outside import OutsideWriter, booking_key, booking_values, isoformat, raw_at
from tests.bookings.screens import BOOKINGS, calendar, day_query, url_of
from tests.conftest import ACTOR, add_business, every_engine, real_engines
from tests.ui.html import parse
from tests.ui.walk import calls_of

DAY = day_query(MONDAY)


@pytest.fixture
def outside(table: str) -> OutsideWriter:
    open_shop("maria", "ana")
    return OutsideWriter()


def pointer(id: str = "bkg_1") -> BookingRef | None:
    return queries.find_pointer(BUSINESS, id)


def deadline_in_pointer(id: str) -> tuple[datetime | None, str | None]:
    found = pointer(id)
    assert found is not None
    return found.due_at, found.gsistatuspk


def ledger(provider: str = "maria", day: datetime = MONDAY) -> dict[str, Any]:
    key = keys.PROVIDER_DAY.key(tenant=BUSINESS, provider=provider, date=day.date().isoformat())
    found = read.get(ProviderDay, key)
    return dict(found.busy or {}) if found is not None else {}


def listed(client: Client, query: str) -> list[str]:
    """The customers in the list of bookings."""
    return [each.all("a")[0].text for each in parse(client.get(BOOKINGS + query)).all("tr", data_row="")]


def search_url(answer: Any) -> str:
    """The link of a page that does not know the booking."""
    (link,) = [each for each in parse(answer).all("a") if each.text.strip() == "Search the latest bookings"]
    return link.attrs["href"]


# --- Pages ---------------------------------------------------------------------------------------
FORMATS = [
    pytest.param(lambda moment: to_wire(moment), id="UTC"),
    pytest.param(lambda moment: isoformat(moment, -3), id="negative offset"),
    pytest.param(lambda moment: isoformat(moment, 9), id="positive offset"),
    pytest.param(lambda moment: isoformat(moment, 0).replace("+", ".654321+"), id="microseconds"),
    pytest.param(lambda moment: moment.strftime("%Y-%m-%dT%H:%M"), id="no zone"),
]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("hour", [6, 14, 26])
def test_a_raw_booking_is_on_the_pages_of_its_provider_at_once(
    outside: OutsideWriter, as_owner: Client, form: Any, hour: int
) -> None:
    """Times of the business are three or four hours behind UTC: its day is from 4 to 28."""
    outside.put_booking("bkg_1", at(hour), at=form(at(hour)))
    assert "Rosa Díaz" in calendar(as_owner, f"{DAY}&provider=maria")["Maria"][0]
    assert listed(as_owner, f"{DAY}&view=agenda&provider=maria") == ["Rosa Díaz"]
    later = day_query(MONDAY + timedelta(days=1))
    assert calendar(as_owner, f"{later}&provider=maria")["Maria"] == []
    assert listed(as_owner, f"{later}&view=agenda&provider=maria") == []
    # The links there lead to its page, and from there to that for another time.
    linked = parse(as_owner.get(f"{BOOKINGS}{DAY}&provider=maria")).one("a", id="b-bkg_1").attrs["href"]
    page = as_owner.get(linked)
    assert page.status_code == 200 and "Rosa Díaz" in page.text
    (move_url,) = [each.attrs["href"] for each in parse(page).all("a") if "/reschedule/" in each.attrs["href"]]
    move_page = as_owner.get(move_url)
    assert move_page.status_code == 200
    assert [calls_of(each).trips for each in (page, move_page)] == [2, 2]


def test_a_raw_booking_is_searched_by_its_id_in_a_request_of_its_own(outside: OutsideWriter, as_owner: Client) -> None:
    outside.put_booking("bkg_1", at(14))
    unknown = as_owner.get(url_of("bkg_1"))
    assert unknown.status_code == 404 and calls_of(unknown).trips == 2
    found = as_owner.get(search_url(unknown))
    assert found.status_code == 200 and "Rosa Díaz" in found.text and calls_of(found).trips == 2
    assert as_owner.get(search_url(as_owner.get(url_of("bkg_9")))).status_code == 404
    # An id of ours has a pointer, so there is nothing to search.
    assert "Search the latest bookings" not in as_owner.get(url_of(new_id())).text
    for query in ("?at=maria", "?at=/", "?at=a%23b/c", "?among=a%23b", "?at=maria/2026-01-01T00:00:00Z"):
        assert as_owner.get(url_of("bkg_1") + query).status_code == 404
    # A POST searches at once, because its input must not be lost.
    refused = as_owner.post(f"{url_of('bkg_1')}reschedule/", {"provider": "maria", "day": "nonsense"})
    assert refused.status_code == 422 and "Rosa Díaz" in refused.text


def test_a_search_for_a_raw_booking_says_when_it_reaches_its_limit(
    outside: OutsideWriter, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside.put_booking("bkg_1", at(14))
    answer = as_owner.get(search_url(as_owner.get(url_of("bkg_2"))))
    assert answer.status_code == 404 and "among the latest ones" not in answer.text
    monkeypatch.setattr(unlisted_bookings, "MAX_PROVIDERS_SEARCHED", 1)
    answer = as_owner.get(search_url(as_owner.get(url_of("bkg_1"))))
    assert answer.status_code == 404 and "among the latest ones" in answer.text


@every_engine
def test_the_follower_puts_a_raw_booking_on_every_page(table: str, as_owner: Client) -> None:
    open_shop("maria", "ana")
    outside = OutsideWriter()
    key = outside.put_booking("bkg_1", at(26), at=isoformat(at(26)), status="PENDING", channel="whatsapp")
    assert outside.follow().repairs == 1
    assert "Rosa Díaz" in calendar(as_owner, DAY)["Maria"][0]
    for query in ("", "&service=masaje", "&status=PENDING", "&provider=maria"):
        assert listed(as_owner, f"{DAY}&view=agenda{query}") == ["Rosa Díaz"]
    page = as_owner.get(url_of("bkg_1"))
    assert page.status_code == 200 and calls_of(page).trips == 2
    assert url_of("bkg_1") in as_owner.get(f"{BOOKINGS}customers/juan/").text
    expected = booking_values("bkg_1", at(26), status="PENDING", channel="whatsapp")
    found = raw_at(key)
    assert {name: found[name] for name in expected} == expected, "what the outside writer stored is unchanged"


def test_later_raw_writes_move_a_booking_again(outside: OutsideWriter, as_owner: Client) -> None:
    key = outside.put_booking("bkg_1", at(14), status="PENDING")
    outside.follow()
    outside.update(key, status="CONFIRMED", customerId="ana")
    outside.follow()
    assert listed(as_owner, f"{DAY}&view=agenda&status=PENDING") == []
    assert listed(as_owner, f"{DAY}&view=agenda&status=CONFIRMED") == ["Rosa Díaz"]
    assert url_of("bkg_1") not in as_owner.get(f"{BOOKINGS}customers/juan/").text
    outside.put_booking("bkg_1", at(14), status="CANCELLED")
    outside.follow()
    assert calendar(as_owner, DAY)["Maria"] == [] and ledger() == {}
    outside.delete(key)
    outside.follow()
    assert as_owner.get(url_of("bkg_1")).status_code == 404 and pointer() is None
    assert calendar(as_owner, f"{DAY}&status=ALL")["Maria"] == []


def test_a_missing_booking_of_ours_is_not_searched(table: str, as_owner: Client) -> None:
    """The page of a booking that does not exist costs more only for the id of an outside writer."""
    open_shop("maria")
    gone = book(at(10))
    missing = gone.id[:-1] + ("0" if gone.id[-1] != "0" else "1")
    answer = as_owner.get(url_of(missing))
    assert (answer.status_code, calls_of(answer).trips, len(calls_of(answer).calls)) == (404, 2, 5)


def test_a_truncated_day_of_a_provider_says_so(
    outside: OutsideWriter, as_owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hour in (10, 12, 14):
        outside.put_booking(f"bkg_{hour}", at(hour))
    monkeypatch.setattr(calendar_queries, "MAX_BOOKINGS_A_DAY", 2)
    page = as_owner.get(f"{BOOKINGS}{DAY}&provider=maria")
    assert "Only the first 2 bookings of each day are shown." in page.text
    assert len(parse(page).by_class("cal-link")) == 2


def test_a_person_can_act_before_the_follower(outside: OutsideWriter) -> None:
    add_business(BUSINESS, "Andina")
    key = outside.put_booking("bkg_1", at(10), status="PENDING")
    confirmed = services.confirm(BUSINESS, "bkg_1", revision=0, command=new_command(ACTOR))
    assert (confirmed.key, confirmed.status, confirmed.revision) == (key, Status.CONFIRMED, 1)
    assert outside.follow().repairs == 0, "the action has written everything"


# --- Pointer and ledger --------------------------------------------------------------------------
@pytest.mark.parametrize("first", ["put", "delete"])
@pytest.mark.parametrize(("by", "start"), [("maria", at(12)), ("ana", at(10)), ("ana", at(12, day=2))])
@pytest.mark.parametrize("batches", [1, 2])
def test_a_raw_move_moves_pointer_and_ledger(
    outside: OutsideWriter, first: str, by: str, start: datetime, batches: int
) -> None:
    old = outside.put_booking("bkg_1", at(10))
    outside.follow()
    new = booking_key("bkg_1", start, by)
    for act in ("put", "delete") if first == "put" else ("delete", "put"):
        if act == "put":
            outside.put_booking("bkg_1", start, by)
        else:
            outside.delete(old)
        if batches == 2:
            outside.follow()
    outside.follow()
    found = pointer()
    assert found is not None and found.booking_key == new
    assert [each for who in ("maria", "ana") for day in (0, 2) for each in ledger(who, at(0, day=day)).values()] == [
        {
            "start": to_wire(start),
            "end": to_wire(start + timedelta(hours=1)),
            "status": "CONFIRMED",
            "startTime": to_wire(start),
        }
    ]
    assert queries.load_booking(BUSINESS, "bkg_1").key == new


def test_a_booking_that_was_created_and_deleted_in_one_batch_leaves_nothing(outside: OutsideWriter) -> None:
    outside.delete(outside.put_booking("bkg_1", at(10)))
    assert outside.follow().repairs == 0
    key = outside.put_booking("bkg_2", at(10), status="PENDING")
    services.confirm(BUSINESS, "bkg_2", revision=0, command=new_command(ACTOR))
    outside.delete(key)
    outside.follow()
    assert pointer("bkg_1") is None and pointer("bkg_2") is None and ledger() == {}


@pytest.mark.parametrize(
    ("status", "is_kept"),
    [("PENDING", True), ("CONFIRMED", True), ("NO_SHOW", True), ("SOFT_LOCKED", True), ("CANCELLED", False)],
)
def test_the_ledger_follows_the_status(outside: OutsideWriter, status: str, is_kept: bool) -> None:
    key = outside.put_booking("bkg_1", at(10))
    outside.follow()
    outside.update(key, status=status)
    outside.follow()
    assert [entry["status"] for entry in ledger().values()] == ([status] if is_kept else [])
    found = pointer()
    assert found is not None and found.status == status
    with pytest.raises(SlotTaken) if is_kept else nullcontext():
        book(at(10, 30))


def test_the_ledger_follows_the_end(outside: OutsideWriter) -> None:
    """Also across midnight, where the booking leaves a day."""
    key = outside.put_booking("bkg_1", at(23), endTime=isoformat(at(25)))
    outside.follow()
    assert set(ledger()) == set(ledger(day=at(24))) == {"bkg_1"}
    outside.update(key, endTime=isoformat(at(23, 30)))
    outside.follow()
    assert ledger()["bkg_1"]["end"] == to_wire(at(23, 30)) and ledger(day=at(24)) == {}
    outside.update(key, endTime=None)
    outside.follow()
    assert ledger()["bkg_1"]["end"] == to_wire(at(24)), "without an end it counts for an hour"


@pytest.mark.parametrize(
    "values",
    [
        {"endTime": 5},
        {"endTime": "soon"},
        {"status": None},
        {"status": ["CONFIRMED"]},
        {"status": 7, "customerId": {"a": 1}, "serviceId": 3},
        {"bufferBeforeMinutes": "x", "bufferAfterMinutes": 10**9, "lapsesAt": 12},
        {"status": "PENDING", "lapsesAt": "whenever", "revision": "x"},
        {"customerId": "a#b", "serviceId": "x" * 1500},
    ],
)
def test_odd_values_are_no_failure(outside: OutsideWriter, values: dict[str, Any]) -> None:
    outside.put_booking("bkg_1", at(10), **values)
    assert outside.follow().repairs == 1
    assert queries.load_booking(BUSINESS, "bkg_1").id == "bkg_1"
    assert set(ledger()) == {"bkg_1"}
    outside.put_booking("bkg_2", at(10), at="soon", **values)
    assert outside.follow().repairs == 1
    found = pointer("bkg_2")
    assert found is not None and found.start_key == "soon" and set(ledger()) == {"bkg_1"}


def test_a_raw_deadline_is_due_and_lapses(outside: OutsideWriter) -> None:
    until = now() + timedelta(hours=2)
    key = outside.put_booking("bkg_1", at(10), status="PENDING", lapsesAt=to_wire(until))
    waiting = outside.put_booking("bkg_2", at(12), status="PENDING", lapsesAt=to_wire(until))
    outside.follow()
    assert deadline_in_pointer("bkg_1") == deadline_in_pointer("bkg_2") == (until.replace(microsecond=0), "DUE")
    outside.update(waiting, status="CONFIRMED")
    outside.follow()
    assert deadline_in_pointer("bkg_2") == (None, None)
    with frozen(until + timedelta(minutes=1)):
        list(runner.run())
    assert raw_at(key)["status"] == "CANCELLED" and raw_at(waiting)["status"] == "CONFIRMED"
    assert set(ledger()) == {"bkg_2"}


def test_overlapping_raw_bookings_are_kept_and_only_one_is_confirmed(outside: OutsideWriter, as_owner: Client) -> None:
    outside.put_booking("bkg_1", at(14), status="PENDING")
    outside.put_booking("bkg_2", at(14, 30), status="PENDING")
    outside.follow()
    assert set(ledger()) == {"bkg_1", "bkg_2"} and len(calendar(as_owner, DAY)["Maria"]) == 2
    services.confirm(BUSINESS, "bkg_2", revision=0, command=new_command(ACTOR))
    with pytest.raises(SlotTaken):
        services.confirm(BUSINESS, "bkg_1", revision=0, command=new_command(ACTOR))


def test_a_ledger_that_is_full_does_not_prevent_other_repairs(
    outside: OutsideWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repairs, "MAX_LEDGER_BYTES", 50)
    outside.put_booking("bkg_1", at(10))
    outside.follow()
    assert ledger() == {} and pointer() is not None
    assert [each.id for each in queries.find_indexed(BUSINESS, "bkg_1")] == ["bkg_1"]
    with pytest.raises(SlotTaken):
        book(at(10, 30))


# --- Attributes and decisions of ours ------------------------------------------------------------
def test_a_put_does_not_remove_our_attributes(outside: OutsideWriter) -> None:
    booking = book(at(10), note="Alergia", status=Status.PENDING, lapses_at=now() + timedelta(hours=2))
    before = raw_at(booking.key)
    outside.put(booking.key, **booking_values(booking.id, at(10), status="PENDING"))
    assert outside.follow().repairs == 1
    after = raw_at(booking.key)
    names = ("note", "serviceName", "price", "currency", "lapsesAt", "GSI1PK", "GSITypeSK")
    assert {name: after.get(name) for name in names} == {name: before.get(name) for name in names}
    assert (after["revision"], after["clientEmail"]) == (2, "rosa@example.com")
    found = pointer(booking.id)
    assert found is not None and (found.revision, found.due_at) == (2, booking.lapses_at)
    confirmed = services.confirm(BUSINESS, booking.id, revision=2, command=new_command(ACTOR))
    outside.update(confirmed.key, note=None)
    outside.follow()
    assert "note" not in raw_at(booking.key), "an update that keeps the revision removes it on purpose"


def test_a_put_of_the_catalog_does_not_remove_our_attributes(outside: OutsideWriter) -> None:
    service = keys.SERVICE.key(tenant=BUSINESS, service="masaje")
    outside.update(service, bufferAfterMinutes=10)
    outside.put(service, name="Masaje largo", category="masajes", durationMinutes=90, active=True, price="25000.0")
    monday = keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday="MON")
    outside.update(monday, exceptions=["2026-12-25"])
    outside.put(monday, dayOfWeek="MON", timeRanges=[{"startTime": "09:00", "endTime": "13:00"}], breaks=[])
    person = keys.PROVIDER.key(tenant=BUSINESS, provider="maria")
    edited = providers.edit(
        BUSINESS, "maria", {"timezone": "America/Lima"}, revision=1, business_zone="UTC", command=new_command(ACTOR)
    )
    outside.put(person, name="María", services=["masaje"], timezone="UTC", active=True, slug=None)
    outside.follow()
    found = raw_at(service)
    assert (found["bufferAfterMinutes"], found["currency"], found["price"]) == (10, "CLP", "25000.0")
    assert found["GSI1PK"] == f"TENANT#{BUSINESS}#CATEGORY#masajes" and found["revision"] == 2
    assert raw_at(monday)["exceptions"] == ["2026-12-25"]
    assert raw_at(monday)["GSITypeSK"] == "MON#maria"
    assert raw_at(person)["scheduleRevision"] == edited.schedule_revision + 1


@real_engines
def test_a_stale_put_at_the_old_start_does_not_undo_a_move(table: str) -> None:
    """The outside writer does not know that a person has moved the booking."""
    open_shop("maria", "ana")
    outside = OutsideWriter()
    old = outside.put_booking("bkg_1", at(10))
    outside.follow()
    moved = services.reschedule(
        BUSINESS, "bkg_1", provider="maria", start=at(12), revision=0, command=new_command(ACTOR)
    )
    outside.put_booking("bkg_1", at(10), paymentStatus="PAID")
    outside.follow()
    assert reloaded("bkg_1").key == moved.key
    assert raw_at(old)["paymentStatus"] == "PAID", "it is kept and shown"
    for start in (at(10, 30), at(12, 30)):
        with pytest.raises(SlotTaken):
            book(start)
    book(at(11))
    outside.delete(old)
    outside.follow()
    assert reloaded("bkg_1").key == moved.key and ledger()["bkg_1"]["startTime"] == moved.start_key
    outside.delete(moved.key)
    outside.follow()
    with pytest.raises(NotFound):
        queries.load_booking(BUSINESS, "bkg_1")


# --- Other kinds ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("key", "values", "expected"),
    [
        (
            keys.SERVICE.key(tenant=BUSINESS, service="svc_1"),
            {"name": "Corte", "category": "Cabello", "price": "25000", "locationType": ["PHYSICAL"], "active": True},
            {"GSI1PK": f"TENANT#{BUSINESS}#CATEGORY#Cabello", "GSI1SK": "Corte"},
        ),
        (keys.SERVICE.key(tenant=BUSINESS, service="svc_2"), {"name": 5, "category": None}, {}),
        (
            keys.AVAILABILITY.key(tenant=BUSINESS, provider="pro_1", weekday="EXCEPTIONS"),
            {"exceptionRules": [{"date": "2026-12-25", "timeRanges": []}]},
            {"GSITypePK": f"TENANT#{BUSINESS}#AVAILABILITY", "GSITypeSK": "EXCEPTIONS#pro_1"},
        ),
        (
            keys.PROVIDER.key(tenant=BUSINESS, provider="pro_1"),
            {"services": {"svc_1"}, "slug": None, "metadata": {"a": [1]}, "googleIntegration": {"t": "x"}},
            {},
        ),
        (keys.CUSTOMER.key(tenant=BUSINESS, customer="c1"), {"names": {"given": "Ana"}, "email": None}, {}),
        (
            keys.CONVERSATION.key(tenant=BUSINESS, conversation="conv_1"),
            {"state": "INIT", "updatedAt": "2026-05-10T12:00:00.654321+00:00", "context": {"selectedSlot": "x"}},
            {"GSIStatusPK": f"TENANT#{BUSINESS}#CONVERSATION#INIT"},
        ),
    ],
)
def test_other_kinds_get_their_index_keys(
    outside: OutsideWriter, key: Key, values: dict[str, Any], expected: dict[str, str]
) -> None:
    outside.put(key, **values)
    outside.follow()
    found = raw_at(key)
    assert {name: found.get(name) for name in expected} == expected
    assert {name: found[name] for name in values} == values
    outside.put(key, **values)
    outside.follow()
    assert raw_at(key) == found


# --- Hours ---------------------------------------------------------------------------------------
def schedule_revision(provider: str = "maria") -> int:
    return providers_queries.load_provider(BUSINESS, provider).schedule_revision


@every_engine
def test_exceptions_of_the_booking_service_apply_to_their_dates(table: str) -> None:
    open_shop("maria")
    outside = OutsideWriter()
    key = keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday="EXCEPTIONS")
    before, later = schedule_revision(), MONDAY + timedelta(days=7)
    outside.put(key, exceptionRules=[{"date": MONDAY.date().isoformat(), "timeRanges": []}])
    outside.follow()
    assert schedule_revision() == before + 1
    with pytest.raises(StartNotBookable):
        book(at(14))
    assert book(later + timedelta(hours=14))
    outside.put(key, exceptionRules=[{"date": later.date().isoformat(), "timeRanges": []}])
    outside.follow()
    assert schedule_revision() == before + 2 and book(at(14)), "a rule that is removed does not apply any more"
    outside.delete(key)
    outside.follow()
    assert book(later + timedelta(hours=16))
    assert outside.follow().repairs == 0


def test_a_put_of_a_weekday_keeps_the_exceptions_that_were_copied(outside: OutsideWriter) -> None:
    key = keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday="EXCEPTIONS")
    outside.put(key, exceptionRules=[{"date": MONDAY.date().isoformat(), "timeRanges": []}])
    outside.follow()
    monday = keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday="MON")
    outside.put(monday, timeRanges=[{"startTime": "09:00", "endTime": "20:00"}])
    outside.follow()
    with pytest.raises(StartNotBookable):
        book(at(14))


def test_outside_changes_of_hours_and_zone_increase_the_schedules_revision(outside: OutsideWriter) -> None:
    before = schedule_revision()
    monday = keys.AVAILABILITY.key(tenant=BUSINESS, provider="maria", weekday="MON")
    outside.update(monday, timeRanges=[{"startTime": "09:00", "endTime": "10:00"}])
    assert outside.follow().repairs == 1 and schedule_revision() == before + 1
    outside.update(monday, color="red")
    assert outside.follow().repairs == 0 and schedule_revision() == before + 1
    outside.update(keys.PROVIDER.key(tenant=BUSINESS, provider="maria"), timezone="Europe/Madrid")
    assert outside.follow().repairs == 1 and schedule_revision() == before + 2


@pytest.mark.parametrize(("minutes", "is_free"), [(-1, True), (15, False)])
def test_a_soft_lock_takes_its_time_until_it_expires(outside: OutsideWriter, minutes: int, is_free: bool) -> None:
    expires = isoformat(now() + timedelta(minutes=minutes))
    outside.put_booking("bkg_1", at(14), status="SOFT_LOCKED", softLockExpiresAt=expires)
    outside.follow()
    with nullcontext() if is_free else pytest.raises(SlotTaken):
        book(at(14))


def test_a_put_of_a_conversation_loses_neither_the_lease_nor_the_booking(outside: OutsideWriter) -> None:
    key = keys.CONVERSATION.key(tenant=BUSINESS, conversation="conv-1")
    begin("conv-1")
    take_over("conv-1")
    outside.follow()
    values = {"state": "INIT", "currentStepId": "list_providers", "updatedAt": "2026-05-10T12:00:00.654321+00:00"}
    outside.put(key, **values)
    outside.follow()
    found = raw_at(key)
    assert {name: found[name] for name in values} == values
    assert (found["voice"], found["GSITypePK"]) == ("WAITING", f"TENANT#{BUSINESS}#CONVERSATION#WAITING")
    assert found["GSIStatusPK"] == f"TENANT#{BUSINESS}#CONVERSATION#PROVIDER_PENDING"
