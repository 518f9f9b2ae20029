"""The pages of providers: the list with today's hours, editing, deactivating and deleting."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.displaced_bookings import DisplacedBookings
from bookings.items import Provider
from bookings.queries import providers as queries
from bookings.services import providers
from bookings.today import weekdays_now
from dashboard.core.clock import frozen, now
from dashboard.core.errors import Refused
from dashboard.table.commands import new_command
from tests.bookings.catalog import (
    BUSINESS,
    PROVIDERS,
    SANTIAGO,
    SPLIT,
    a_provider,
    a_service,
    a_week,
    actions,
    hours_now,
    press_undo,
    put,
    put_booking,
    put_hours,
    put_provider,
    raw_at,
    seed_items,
    set_hours,
)
from tests.conftest import ACTOR
from tests.ui.html import Element, form_to, parse
from tests.ui.walk import calls_of

NEW = f"{PROVIDERS}new/"
# A Wednesday, 10:30 in Santiago.
WEDNESDAY = datetime(2026, 3, 4, 13, 30, tzinfo=UTC)


def rows(client: Client, query: str = "") -> list[Element]:
    return parse(client.get(PROVIDERS + query)).all("tr", data_row="")


def reloaded(provider: Provider) -> Provider:
    return queries.load_provider(BUSINESS, provider.id)


def test_a_provider_is_created_with_services_and_undone(table: str, as_owner: Client) -> None:
    one, other = a_service("Masaje"), a_service("Manicura")
    form = form_to(as_owner.get(NEW), NEW)
    assert dict(form.fields)["timezone"] == SANTIAGO, "the default is the time zone of the business"
    sent = form.data(name="María González", bio="Masajista", services=[one.id, other.id])
    answer = as_owner.post(NEW, sent)
    (provider,) = queries.providers_of(BUSINESS).items
    assert answer.headers["Location"] == f"{PROVIDERS}{provider.id}/hours/", "the next page is the hours form"
    raw = raw_at(f"TENANT#{BUSINESS}", f"PROVIDER#{provider.id}")
    assert raw["services"] == {"L": [{"S": one.id}, {"S": other.id}]}
    assert (raw["providerId"], raw["tenantId"]) == ({"S": provider.id}, {"S": BUSINESS})
    assert (raw["timezone"], raw["active"]) == ({"S": SANTIAGO}, {"BOOL": True})
    assert actions("provider", provider.id) == ["provider.create"]
    assert press_undo(as_owner, PROVIDERS).status_code == 303
    assert queries.find_provider(BUSINESS, provider.id) is None


def test_the_services_of_a_provider_are_changed_and_undone(table: str, as_owner: Client) -> None:
    one, other = a_service("Masaje"), a_service("Manicura")
    provider = a_provider("María", one.id)
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), url)
    as_owner.post(url, form.data(services=[other.id]))
    assert reloaded(provider).service_ids == [other.id]
    press_undo(as_owner, url)
    assert reloaded(provider).service_ids == [one.id]
    as_owner.get(url)
    data = form_to(as_owner.get(url), url).data()
    data.pop("services")
    as_owner.post(url, data)
    assert reloaded(provider).service_ids == [], "no checkbox is checked"
    press_undo(as_owner, url)
    assert reloaded(provider).service_ids == [one.id]


def test_fields_that_are_not_sent_keep_their_values(table: str, as_owner: Client) -> None:
    provider = a_provider("María", "svc_1", bio="Masajista")
    as_owner.post(f"{PROVIDERS}{provider.id}/", {"name": "Marta", "revision": 1})
    after = reloaded(provider)
    assert (after.name, after.bio, after.service_ids, after.timezone) == ("Marta", "Masajista", ["svc_1"], SANTIAGO)


def test_concurrent_edits_of_a_provider_are_a_conflict(table: str, as_owner: Client) -> None:
    one, other = a_service("Masaje"), a_service("Manicura")
    provider = a_provider("María", one.id)
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), url)
    theirs = {"name": "Marta"}
    providers.edit(BUSINESS, provider.id, theirs, revision=1, business_zone=SANTIAGO, command=new_command(ACTOR))
    answer = as_owner.post(url, form.data(services=[one.id, other.id]))
    assert answer.status_code == 409
    page = parse(answer)
    assert "Alma Ríos changed this" in page.text and "Masaje, Manicura" in page.text, "services are shown by name"
    assert as_owner.post(url, form_to(answer, url).data()).status_code == 303
    assert (reloaded(provider).name, reloaded(provider).service_ids) == ("Marta", [one.id, other.id])


@pytest.mark.parametrize(
    ("field", "value"), [("name", ""), ("timezone", "Mars/Olympus"), ("services", "nothing"), ("bio", "x" * 1001)]
)
def test_an_invalid_field_shows_an_error_and_saves_nothing(
    table: str, as_owner: Client, field: str, value: str
) -> None:
    answer = as_owner.post(NEW, {"name": "María", "timezone": SANTIAGO, field: value})
    assert answer.status_code == 422
    assert parse(answer).all("p", id=f"id_{field}_error")
    assert queries.providers_of(BUSINESS).items == []


# --- Deactivating and time zones ---
def test_deactivating_lists_upcoming_bookings_first(table: str, as_owner: Client) -> None:
    service = a_service("Masaje")
    provider = a_provider("María", service.id)
    soon = now() + timedelta(days=2)
    put_booking(provider.id, soon, "b1", serviceId=service.id, customerId="cust_1")
    put_booking(provider.id, soon + timedelta(hours=2), "b2", status="CANCELLED")
    put_booking(provider.id, now() - timedelta(days=2), "b3")
    put_booking(provider.id, now() + timedelta(days=120), "b4")
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), f"{url}deactivate/")
    answer = as_owner.post(form.action, form.data())
    assert answer.status_code == 409
    page = parse(answer)
    lines = page.by_class("displaced-bookings")[0].all("li")
    assert len(lines) == 1 and "Masaje · cust_1" in lines[0].text
    assert reloaded(provider).is_active
    (accepting,) = [each for each in parse(answer).all("button") if each.attrs.get("name") == "accepts"]
    sent = form.data() | {"accepts": accepting.attrs["value"]}
    # There is a new booking: it must be confirmed again.
    put_booking(provider.id, soon + timedelta(hours=4), "b5")
    assert as_owner.post(form.action, sent).status_code == 409
    assert reloaded(provider).is_active
    with pytest.raises(DisplacedBookings) as error:
        providers.deactivate(BUSINESS, provider.id, revision=1, command=new_command(ACTOR))
    sent = form.data() | {"accepts": error.value.digest}
    assert as_owner.post(form.action, sent).status_code == 303
    after = reloaded(provider)
    assert (after.is_active, after.schedule_revision) == (False, 1), "a booking written at this moment is checked again"
    press_undo(as_owner, url)
    assert (reloaded(provider).is_active, reloaded(provider).schedule_revision) == (True, 2)


def test_a_new_time_zone_lists_the_displaced_bookings(table: str, as_owner: Client) -> None:
    provider = a_provider("María")
    set_hours(provider, a_week(dict.fromkeys(("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"), SPLIT)))
    day = (now() + timedelta(days=3)).astimezone(hours_now(provider.id).zone)
    ten, noon = (day.replace(hour=hour, minute=0, second=0).astimezone(UTC) for hour in (10, 17))
    put_booking(provider.id, ten, "b1", minutes=30)
    put_booking(provider.id, noon, "b2", minutes=30)
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), url)
    answer = as_owner.post(url, form.data(timezone="Asia/Tokyo", name="Marta"))
    assert answer.status_code == 409
    page = parse(answer)
    assert page.one("input", name="name").attrs["value"] == "Marta", "the input is kept"
    assert reloaded(provider).timezone == SANTIAGO
    (button,) = [each for each in page.all("button") if each.attrs.get("name") == "accepts"]
    sent = form_to(answer, url).data(button)
    assert as_owner.post(url, sent).status_code == 303
    after = reloaded(provider)
    assert (after.timezone, after.name, after.schedule_revision) == ("Asia/Tokyo", "Marta", 2)


def test_a_change_that_displaces_no_booking_needs_no_confirmation(table: str, as_owner: Client) -> None:
    provider = a_provider("María")
    set_hours(provider, a_week())
    put_booking(provider.id, now() + timedelta(days=3), "b1")
    url = f"{PROVIDERS}{provider.id}/"
    assert as_owner.post(url, form_to(as_owner.get(url), url).data(timezone="Asia/Tokyo")).status_code == 303
    as_owner.get(url)
    assert as_owner.post(url, form_to(as_owner.get(url), url).data(name="Marta")).status_code == 303
    assert reloaded(provider).schedule_revision == 2, "a new name does not change the schedule"


# --- Deleting and restoring ---
def test_a_provider_is_deleted_with_its_hours_and_restored(table: str, as_owner: Client) -> None:
    provider = a_provider("María")
    set_hours(provider, a_week())
    before = hours_now(provider.id)
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    as_owner.post(form.action, form.data())
    assert queries.find_provider(BUSINESS, provider.id) is None
    assert queries.hours_of(BUSINESS, provider.id) == []
    assert press_undo(as_owner, PROVIDERS).status_code == 303
    assert hours_now(provider.id) == before
    assert reloaded(provider).title == "María"
    assert [each.weekday for each in queries.hours_on(BUSINESS, "MON")] == ["MON"], "the index has them too"


def test_a_provider_with_bookings_cannot_be_deleted(table: str, as_owner: Client) -> None:
    provider = a_provider("María")
    url = f"{PROVIDERS}{provider.id}/"
    form = form_to(as_owner.get(url), f"{url}delete/")
    put_booking(provider.id, now() - timedelta(days=400), status="CANCELLED")
    assert as_owner.post(form.action, form.data()).status_code == 422
    assert "cannot be deleted, only deactivated" in parse(as_owner.get(url)).text
    with pytest.raises(Refused):
        providers.remove(BUSINESS, provider.id, revision=1, command=new_command(ACTOR))


# --- The list ---
def test_the_list_shows_the_hours_of_today(table: str, as_owner: Client) -> None:
    with frozen(WEDNESDAY):
        working, later, off = a_provider("A trabaja"), a_provider("B después"), a_provider("C libre")
        away = a_provider("D lejos", zone="Asia/Tokyo")
        set_hours(working, a_week({"WED": SPLIT}))
        set_hours(later, a_week({"WED": SPLIT}, dates={}), revision=0)
        set_hours(off, a_week({"WED": SPLIT}, dates={WEDNESDAY.date(): None}))
        set_hours(away, a_week({"WED": SPLIT}))
        found = {row.one("a").text: row.all("td")[1].text for row in rows(as_owner)}
    assert found["A trabaja"] == "until 19:00"
    assert found["C libre"] == "not today"
    assert found["D lejos"] == "done for today", "it is 22:30 there"
    with frozen(WEDNESDAY - timedelta(hours=3)):
        assert {row.all("td")[1].text for row in rows(as_owner)} >= {"09:00 to 19:00"}
    with frozen(WEDNESDAY + timedelta(hours=3, minutes=30)):
        found = {row.one("a").text: row.all("td")[1].text for row in rows(as_owner)}
    assert found["A trabaja"] == "15:00 to 19:00", "during the break at noon"


def test_weekdays_now_has_the_current_weekday_of_every_time_zone() -> None:
    assert weekdays_now(datetime(2026, 3, 4, 6, tzinfo=UTC)) == ["TUE", "WED"]
    assert weekdays_now(datetime(2026, 3, 4, 11, tzinfo=UTC)) == ["TUE", "WED", "THU"]
    assert weekdays_now(datetime(2026, 3, 4, 13, tzinfo=UTC)) == ["WED", "THU"]


def test_the_list_costs_the_same_for_any_number_of_providers(table: str, as_owner: Client) -> None:
    a_provider("Primera")
    few = calls_of(as_owner.get(PROVIDERS))
    for number in range(queries.PAGE + 10):
        put_provider(f"pro_{number:04}", name=f"Persona {number:04}", timezone=SANTIAGO)
    answer = as_owner.get(PROVIDERS)
    many = calls_of(answer)
    assert (many.trips, len(many.calls)) == (few.trips, len(few.calls)) and many.trips == 2
    assert len(parse(answer).all("tr", data_row="")) == queries.PAGE


def test_the_list_can_be_empty_and_is_searched_by_name(table: str, as_owner: Client) -> None:
    assert "No staff members yet" in parse(as_owner.get(PROVIDERS)).text
    a_provider("María González")
    a_provider("Joaquín Reyes")
    assert [row.one("a").text for row in rows(as_owner, "?q=maria")] == ["María González"]
    assert rows(as_owner, "?q=nobody") == []


# --- Outside writers ---
def test_the_seeds_provider_keeps_a_service_that_does_not_exist(table: str, as_owner: Client) -> None:
    seed_items()
    url = f"{PROVIDERS}pro_55/"
    page = as_owner.get(url)
    text = parse(page).text
    assert "09:00–13:00, 15:00–19:00 break 11:00–11:15" in text and "svc_456" in text
    as_owner.post(url, form_to(page, url).data(name="María", services=["svc_123", "svc_456"]))
    raw = raw_at(f"TENANT#{BUSINESS}", "PROVIDER#pro_55")
    assert raw["services"] == {"L": [{"S": "svc_123"}, {"S": "svc_456"}]}
    assert raw["name"] == {"S": "María"}


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"name": 7, "bio": ["x"], "services": "svc_1", "timezone": 3, "active": "yes"},
        {"services": [1, None, "", {"a": 1}, "svc_1"], "timezone": "Mars/Olympus", "scheduleRevision": "x"},
        {"services": ["a#b", "c/d"], "timezone": "", "name": "x" * 5000, "scheduleRevision": -3},
        {"active": False, "revision": "seven", "feedHash": 3, "scheduleAt": "never"},
    ],
)
def test_odd_values_of_outside_writers_break_no_page(table: str, as_owner: Client, odd: dict[str, Any]) -> None:
    put_provider("pro_1", **odd)
    put_provider("odd#key", name="no page")
    put_hours("pro_1", "MON", timeRanges="always", breaks=[3, None, {"startTime": 5}], exceptions=["whenever", {}, 7])
    put_hours("pro_1", "SOMEDAY", timeRanges=[{"startTime": "09:00", "endTime": "10:00"}])
    put(f"TENANT#{BUSINESS}#PROVIDER#pro_1", "BOOKING#soon#b1", status="CONFIRMED")
    assert len(rows(as_owner)) == 1
    url = f"{PROVIDERS}pro_1/"
    assert as_owner.get(url).status_code == 200
    assert as_owner.get(f"{url}hours/").status_code == 200
    assert as_owner.post(url, form_to(as_owner.get(url), url).data()).status_code in {303, 409, 422}
    hours = form_to(as_owner.get(f"{url}hours/"), f"{url}hours/")
    sent = hours.data(hours.buttons[0], MON_range_0_start="08:00", MON_range_0_end="09:00")
    assert as_owner.post(f"{url}hours/", sent).status_code == 303


def test_service_entries_that_are_not_ids_are_kept(table: str, as_owner: Client) -> None:
    put_provider("pro_1", name="María", services=["svc_1", {"odd": 1}])
    url = f"{PROVIDERS}pro_1/"
    as_owner.post(url, {"services": json.dumps([]), "revision": 0})
    assert raw_at(f"TENANT#{BUSINESS}", "PROVIDER#pro_1")["services"] == {"L": [{"M": {"odd": {"N": "1"}}}]}


@pytest.mark.parametrize("id", ["a%23b", "x" * 3000])
def test_an_invalid_id_is_not_found(table: str, as_owner: Client, id: str) -> None:
    for act in ("", "deactivate/", "activate/", "delete/", "restore/", "hours/", "hours/undo/"):
        assert as_owner.post(f"{PROVIDERS}{id}/{act}", {"revision": 0, "of": "x"}).status_code == 404, act
