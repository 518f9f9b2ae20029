"""A booking is made: by a form that works as a plain page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bookings.queries.customers import customers_of
from bookings.states import Status
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import (
    BUSINESS,
    MONDAY,
    at,
    book,
    customer,
    entries_of,
    in_step,
    open_shop,
    provider,
    put,
    service,
    works,
)
from tests.bookings.catalog import press_undo
from tests.bookings.screens import BOOKINGS, NEW, columns, offers, on, url_of
from tests.conftest import every_engine
from tests.ui.html import form_to, parse, toasts

WISH = {"service": "masaje", "provider": "maria", "customer": "juan"}


def send(client: Client, **fields: Any) -> Any:
    return client.post(BOOKINGS, WISH | fields)


@every_engine
def test_someone_is_booked_seen_on_the_day_and_taken_back(table: str, as_owner: Client) -> None:
    open_shop("maria")
    page = as_owner.get(NEW, {"service": "masaje", "provider": "maria", "day": MONDAY.date().isoformat()})
    offered = [each.attrs["value"] for each in parse(page).all("input", name="start") if each.attrs["value"]]
    assert len(offered) == 24 * 4 and to_wire(at(14)) in offered
    form = form_to(page, BOOKINGS, service="masaje")
    answer = as_owner.post(form.action, form.data(start=to_wire(at(14)), customer="juan", note="Primera vez"))
    assert answer.status_code == 303
    (made,) = in_step()
    assert (made.status, made.customer_name, made.note) == (Status.CONFIRMED, "Juan Pérez", "Primera vez")
    assert [each.action for each in entries_of(made.id)] == ["booking.create"]
    assert answer.headers["Location"].startswith(f"{BOOKINGS}?day=")
    shown = as_owner.get(answer.headers["Location"].partition("#")[0])
    assert toasts(shown) == [f"Booking for Juan Pérez created: {MONDAY:%a} {MONDAY.day} {MONDAY:%b %Y}, 14:00 UTC."]
    (block,) = parse(shown).by_class("cal-link")
    assert "data-just" in block.attrs
    send(as_owner, start=to_wire(at(16)))
    press_undo(as_owner, BOOKINGS)
    assert sorted(each.status or "" for each in in_step()) == ["CANCELLED", "CONFIRMED"]


def test_a_start_without_an_offset_is_the_providers_clock(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", zone="America/Bogota"), *works("ana"))
    assert send(as_owner, provider="ana", start=f"{MONDAY:%Y-%m-%d}T10:00").status_code == 303
    assert send(as_owner, provider="ana", start=f"{MONDAY:%Y-%m-%d}T15:00:00+02:00").status_code == 303
    assert sorted(each.start_key for each in in_step()) == [to_wire(at(13)), to_wire(at(15))]


def test_whoever_is_new_becomes_a_customer_in_the_same_form_once(table: str, as_owner: Client) -> None:
    open_shop("maria")
    form = form_to(as_owner.get(NEW), BOOKINGS)
    new_customer = {"customer": "", "customer_name": "Ana Díaz", "customer_phone": "+56 9 1111"}
    sent = form.data() | WISH | new_customer | {"start": to_wire(at(14))}
    for _again in range(2):
        assert as_owner.post(BOOKINGS, sent).status_code == 303
    (made,) = in_step()
    assert made.customer_name == "Ana Díaz"
    assert [each.name for each in customers_of(BUSINESS).items if each.id != "juan"] == ["Ana Díaz"]


def test_if_the_time_is_taken_the_new_customer_is_there_and_chosen(table: str, as_owner: Client) -> None:
    open_shop("maria")
    book(at(14))
    answer = send(as_owner, start=to_wire(at(14)), customer="", customer_name="Ana Díaz")
    assert answer.status_code == 409
    (ana,) = [each for each in customers_of(BUSINESS).items if each.id != "juan"]
    instead = offers(answer)
    assert dict(instead.fields)["customer"] == ana.id
    done = as_owner.post(BOOKINGS, instead.data(instead.buttons[0]))
    assert done.status_code == 303
    assert len(customers_of(BUSINESS).items) == 2
    assert sorted(each.title for each in in_step()) == ["Ana Díaz", "Juan Pérez"]


def test_a_conflict_names_who_is_in_the_way_and_offers_the_next_three(table: str, as_owner: Client) -> None:
    open_shop("maria")
    there = book(at(14))
    answer = send(as_owner, start=to_wire(at(14, 30)), note="Por favor")
    assert answer.status_code == 409
    page = parse(answer)
    notice = page.by_class("notice")[0]
    assert "Juan Pérez is booked from 14:00 to 15:00" in notice.text
    assert url_of(there.id) in [each.attrs["href"] for each in notice.all("a")]
    instead = offers(page)
    starts = [each.attrs["value"] for each in instead.buttons]
    assert starts == [to_wire(at(15)), to_wire(at(15, 15)), to_wire(at(15, 30))]
    assert len(in_step()) == 1, "nothing was written"
    as_owner.post(BOOKINGS, instead.data(instead.buttons[1]))
    made = sorted(in_step(), key=lambda each: each.start_key)
    assert [(each.start_key, each.note) for each in made] == [
        (to_wire(at(14)), None),
        (to_wire(at(15, 15)), "Por favor"),
    ]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"service": ""}, "Choose a service."),
        ({"provider": ""}, "Choose a staff member."),
        ({"start": ""}, "Choose or enter a time."),
        ({"start": "tomorrow"}, "Enter year-month-day"),
        ({"customer": "", "customer_name": ""}, "Choose a customer or enter the name of a new one."),
        ({"customer": "nobody"}, "This customer does not exist."),
        ({"service": "nothing"}, "This service does not exist."),
        ({"provider": "nobody"}, "This staff member does not exist."),
        ({"customer": "", "customer_name": "Ana", "customer_email": "x"}, "valid email"),
        ({"customer": "", "customer_name": "", "customer_phone": "+56 9 1"}, "This field is required."),
        ({"start": "2020-01-06T10:00"}, "This is in the past."),
        ({"status": "PENDING", "lapses_at": "2020-01-06T10:00"}, "This is in the past."),
        ({"lapses_at": "soon"}, "Enter year-month-day"),
        ({"note": "x" * 1001}, "1000"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    table: str, as_owner: Client, fields: dict[str, str], said: str
) -> None:
    open_shop("maria")
    answer = send(as_owner, **{"start": to_wire(at(14)), "customer_name": "Berta"} | fields)
    assert answer.status_code == 422
    page = parse(answer)
    assert said in page.one("main").text
    assert page.one("input", name="customer_name").attrs["value"] == fields.get("customer_name", "Berta")
    assert in_step() == []


def test_a_rule_that_says_no_offers_what_could_be_had(table: str, as_owner: Client) -> None:
    put(service(), customer(), provider("maria"), *works("maria", "09:00", "13:00"))
    answer = send(as_owner, start=to_wire(at(12, 30)))
    assert answer.status_code == 422
    assert "This is outside the staff member's hours, 09:00 to 13:00." in parse(answer).one("main").text
    assert offers(answer).buttons[0].attrs["value"] == to_wire(at(9, day=1))


def test_a_time_that_the_clocks_skip_names_the_next(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", zone="Europe/Berlin"), *works("ana"))
    answer = send(as_owner, provider="ana", start="2027-03-28T02:30")
    assert answer.status_code == 422
    assert "The next time is 03:00." in parse(answer).one("main").text


def test_one_that_waits_holds_its_time_until_its_deadline(table: str, as_owner: Client) -> None:
    open_shop("maria")
    assert send(as_owner, start=to_wire(at(14)), lapses_at=to_wire(at(10))).status_code == 303
    (made,) = in_step()
    assert (made.status, made.lapses_at) == (Status.PENDING, at(10))
    assert send(as_owner, start=to_wire(at(14))).status_code == 409


def test_looking_for_times_and_people_keeps_what_was_typed_and_changes_nothing(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    for number in range(12):
        put(customer(f"c{number}"))
    fields = {
        "service": "masaje",
        "provider": "maria",
        "day": MONDAY.date().isoformat(),
        "who": "c1",
        "note": "Hola",
    }
    answer = as_owner.post(BOOKINGS, fields | {"do": "look", "customer_name": "Berta"})
    assert answer.status_code == 200
    page = parse(answer)
    assert [each.attrs["value"] for each in page.all("input", name="customer")] == ["c11", "c10", "c1", ""]
    assert page.one("textarea", name="note").text == "Hola"
    assert len(page.all("input", name="start")) > 90
    assert in_step() == [] and len(customers_of(BUSINESS).items) == 13


@pytest.mark.parametrize(
    ("typed", "field"),
    [("Berta Luna", "customer_name"), ("berta@example.com", "customer_email"), ("+56 9 1111", "customer_phone")],
)
def test_whoever_is_looked_for_in_vain_is_new_by_what_was_typed(
    table: str, as_owner: Client, typed: str, field: str
) -> None:
    open_shop("maria")
    page = parse(as_owner.post(BOOKINGS, {"do": "look", "who": typed}))
    names = ("customer_name", "customer_email", "customer_phone")
    assert {name: page.one("input", name=name).attrs["value"] for name in names if name != field} == dict.fromkeys(
        {*names} - {field}, ""
    )
    assert page.one("input", name=field).attrs["value"] == typed
    # What was written there is not overwritten.
    page = parse(as_owner.post(BOOKINGS, {"do": "look", "who": typed, "customer_name": "Berta"}))
    assert page.one("input", name="customer_name").attrs["value"] == "Berta"


def test_the_form_says_how_long_a_service_takes_and_that_a_provider_does_not_offer_it(
    table: str, as_owner: Client
) -> None:
    open_shop("maria")
    put(service("corte", minutes=45))
    page = parse(as_owner.get(NEW, {"service": "corte", "provider": "maria", "day": MONDAY.date().isoformat()}))
    (choice,) = page.all("option", value="corte")
    assert "45 min" in choice.text and "not with this staff member" in choice.text
    assert "This staff member does not offer the service" in page.one("div", id="offers").text
    assert page.all("input", name="start") == []


def test_an_empty_place_opens_the_form_with_its_time(table: str, as_owner: Client) -> None:
    open_shop("maria")
    new = columns(as_owner.get(BOOKINGS + on(MONDAY)))["Maria"].attrs["data-new"]
    page = parse(as_owner.get(f"{new}&service=masaje&start={to_wire(at(14))}"))
    (chosen,) = [each for each in page.all("input", name="start") if "checked" in each.attrs]
    assert chosen.attrs["value"] == to_wire(at(14))
    # One that is not free is said so, and stands in the field for other times.
    book(at(14))
    page = parse(as_owner.get(f"{new}&service=masaje&start={to_wire(at(14, 7))}"))
    assert "Another booking takes this time" in page.by_class("cal-starts")[0].text
    assert page.one("input", name="start_at").attrs["value"] == f"{MONDAY:%Y-%m-%d}T14:07"


def test_the_form_teaches_where_there_is_nothing_to_book(table: str, as_owner: Client) -> None:
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}services/new/"
    put(service())
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}providers/new/"
