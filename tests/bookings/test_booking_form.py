"""The form that creates a booking, without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from bookings.queries.customers import customers_of
from bookings.services import bookings as services
from bookings.states import Status
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import (
    BUSINESS,
    MONDAY,
    at,
    book,
    check_bookings,
    customer,
    entries_of,
    open_shop,
    provider,
    put,
    service,
    working_hours,
)
from tests.bookings.catalog import a_customer, actions, press_undo
from tests.bookings.screens import BOOKINGS, NEW, alternatives_form, columns, day_query, url_of
from tests.conftest import ACTOR, every_engine, real_engines
from tests.faults import bad_network, lose_reply
from tests.ui.html import form_to, parse, toasts

REQUIRED_FIELDS = {"service": "masaje", "provider": "maria", "customer": "juan"}


def post_booking(client: Client, **fields: Any) -> Any:
    return client.post(BOOKINGS, REQUIRED_FIELDS | fields)


@every_engine
def test_a_booking_is_created_shown_in_the_calendar_and_undone(table: str, as_owner: Client) -> None:
    open_shop("maria")
    page = as_owner.get(NEW, {"service": "masaje", "provider": "maria", "day": MONDAY.date().isoformat()})
    offered = [each.attrs["value"] for each in parse(page).all("input", name="start") if each.attrs["value"]]
    assert len(offered) == 24 * 4 and to_wire(at(14)) in offered
    form = form_to(page, BOOKINGS, service="masaje")
    answer = as_owner.post(form.action, form.data(start=to_wire(at(14)), customer="juan", note="Primera vez"))
    assert answer.status_code == 303
    (booking,) = check_bookings()
    assert (booking.status, booking.customer_name, booking.note) == (Status.CONFIRMED, "Juan Pérez", "Primera vez")
    assert [each.action for each in entries_of(booking.id)] == ["booking.create"]
    assert answer.headers["Location"].startswith(f"{BOOKINGS}?day=")
    day_page = as_owner.get(answer.headers["Location"].partition("#")[0])
    assert toasts(day_page) == [f"Booking for Juan Pérez created: {MONDAY:%a} {MONDAY.day} {MONDAY:%b %Y}, 14:00 UTC."]
    (block,) = parse(day_page).by_class("cal-link")
    assert "data-just-saved" in block.attrs
    post_booking(as_owner, start=to_wire(at(16)))
    press_undo(as_owner, BOOKINGS)
    assert sorted(each.status or "" for each in check_bookings()) == ["CANCELLED", "CONFIRMED"]


def test_a_start_without_an_offset_is_in_the_providers_time_zone(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", zone="America/Bogota"), *working_hours("ana"))
    assert post_booking(as_owner, provider="ana", start=f"{MONDAY:%Y-%m-%d}T10:00").status_code == 303
    assert post_booking(as_owner, provider="ana", start=f"{MONDAY:%Y-%m-%d}T15:00:00+02:00").status_code == 303
    assert sorted(each.start_key for each in check_bookings()) == [to_wire(at(13)), to_wire(at(15))]


def test_the_form_creates_a_new_customer_once(table: str, as_owner: Client) -> None:
    open_shop("maria")
    form = form_to(as_owner.get(NEW), BOOKINGS)
    new_customer = {"customer": "", "customer_name": "Ana Díaz", "customer_phone": "+56 9 1111"}
    sent = form.data() | REQUIRED_FIELDS | new_customer | {"start": to_wire(at(14))}
    for _again in range(2):
        assert as_owner.post(BOOKINGS, sent).status_code == 303
    (booking,) = check_bookings()
    assert booking.customer_name == "Ana Díaz"
    assert [each.name for each in customers_of(BUSINESS).items if each.id != "juan"] == ["Ana Díaz"]


def test_a_booking_that_fails_creates_no_customer(table: str, as_owner: Client) -> None:
    open_shop("maria")
    book(at(14))
    new_customer = {"customer": "", "customer_name": "Ana Díaz", "customer_phone": "+56 9 1111 2222"}
    answer = post_booking(as_owner, start=to_wire(at(14)), **new_customer)
    assert answer.status_code == 409
    assert [each.id for each in customers_of(BUSINESS).items] == ["juan"]
    # The offered times carry the new customer along, and the booking creates them.
    alternatives = alternatives_form(answer)
    assert as_owner.post(BOOKINGS, alternatives.data(alternatives.buttons[0])).status_code == 303
    (ana,) = [each for each in customers_of(BUSINESS).items if each.id != "juan"]
    assert (ana.name, ana.phone) == ("Ana Díaz", "+56 9 1111 2222")
    assert actions("customer", ana.id) == ["customer.create"]
    assert sorted(each.title for each in check_bookings()) == ["Ana Díaz", "Juan Pérez"]
    # Neither does one that a rule refuses.
    for fields in ({"service": "gone"}, {"provider": "nobody"}, {"start": "2020-01-06T10:00Z"}):
        sent = {"start": to_wire(at(20)), "customer": "", "customer_name": "Eva"} | fields
        assert post_booking(as_owner, **sent).status_code == 422
    assert len(customers_of(BUSINESS).items) == 2


@real_engines
def test_a_lost_reply_creates_one_customer_with_the_booking(table: str, as_owner: Client) -> None:
    open_shop("maria")
    form = form_to(as_owner.get(NEW), BOOKINGS)
    new_customer = {"customer": "", "customer_name": "Ana Díaz", "customer_phone": "+56 9 1111 2222"}
    sent = form.data() | REQUIRED_FIELDS | new_customer | {"start": to_wire(at(14))}
    with bad_network() as network:
        network.next("TransactWriteItems", *[lose_reply] * 6)
        as_owner.post(BOOKINGS, sent)
        network.stop_faults()
        assert network.faults
    assert as_owner.post(BOOKINGS, sent).status_code == 303
    assert len(customers_of(BUSINESS).items) == 2 and len(check_bookings()) == 1


def test_a_second_booking_of_a_customer_at_one_time_is_reported_by_name(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro")
    first = book(at(14), by="pedro")
    book(at(16), by="pedro")
    answer = post_booking(as_owner, start=to_wire(at(14, 30)))
    assert answer.status_code == 422
    notice = parse(answer).by_class("notice")[0]
    assert "Juan Pérez already has a booking at this time: Masaje" in notice.text and "with Pedro" in notice.text
    assert url_of(first.id) in [each.attrs["href"] for each in notice.all("a")]
    assert len(check_bookings()) == 2, "nothing was written"
    form = form_to(answer, BOOKINGS, service="masaje")
    (accept,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    assert as_owner.post(BOOKINGS, form.data(accept)).status_code == 303
    assert len(check_bookings()) == 3
    # Cancelled bookings, and bookings before and after, are no duplicates.
    services.cancel(BUSINESS, first.id, revision=1, command=new_command(ACTOR))
    assert post_booking(as_owner, start=to_wire(at(17)), provider="maria").status_code == 303


def test_a_duplicate_that_the_person_has_not_seen_is_reported_too(table: str, as_owner: Client) -> None:
    open_shop("maria", "pedro", "zoe")
    book(at(14), by="pedro")
    form = form_to(post_booking(as_owner, start=to_wire(at(14))), BOOKINGS, service="masaje")
    (accept,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    # A colleague books for the same customer before the person accepts the first one.
    book(at(14), by="zoe")
    answer = as_owner.post(BOOKINGS, form.data(accept))
    assert answer.status_code == 422 and "with Zoe" in parse(answer).by_class("notice")[0].text
    assert len(check_bookings()) == 2, "nothing was written"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"customer_phone": "9 1234-5678"}, "Rosa Díaz already has the phone +56 9 1234 5678."),
        ({"customer_email": "ROSA@example.com"}, "Rosa Díaz already has the e-mail rosa@example.com."),
        (
            {"customer_phone": "+56912345678", "customer_email": "rosa@example.com"},
            "Rosa Díaz already has the phone +56 9 1234 5678 and the e-mail rosa@example.com.",
        ),
    ],
)
def test_a_second_customer_with_the_same_contact_is_reported_by_name(
    table: str, as_owner: Client, fields: dict[str, str], message: str
) -> None:
    open_shop("maria")
    rosa = a_customer("Rosa Díaz", "rosa@example.com")
    sent = {"customer": "", "customer_name": "Rosita", "start": to_wire(at(14))} | fields
    answer = post_booking(as_owner, **sent)
    assert answer.status_code == 422 and message in " ".join(parse(answer).by_class("notice")[0].text.split())
    assert len(customers_of(BUSINESS).items) == 2 and check_bookings() == []
    # Either the known customer, or a second one all the same.
    form = form_to(answer, BOOKINGS, service="masaje")
    buttons = {each.attrs.get("name"): each for each in form.buttons}
    as_owner.post(BOOKINGS, form.data(buttons["customer"]))
    assert [each.customer_id for each in check_bookings()] == [rosa.id]
    answer = post_booking(as_owner, **sent | {"start": to_wire(at(16))})
    form = form_to(answer, BOOKINGS, service="masaje")
    buttons = {each.attrs.get("name"): each for each in form.buttons}
    assert as_owner.post(BOOKINGS, form.data(buttons["accepts"])).status_code == 303
    assert sorted(each.title for each in customers_of(BUSINESS).items) == ["Juan Pérez", "Rosa Díaz", "Rosita"]


def test_a_conflict_names_the_other_booking_and_offers_three_free_times(table: str, as_owner: Client) -> None:
    open_shop("maria")
    other = book(at(14))
    answer = post_booking(as_owner, start=to_wire(at(14, 30)), note="Por favor")
    assert answer.status_code == 409
    page = parse(answer)
    notice = page.by_class("notice")[0]
    assert "Juan Pérez is booked from 14:00 to 15:00" in notice.text
    assert url_of(other.id) in [each.attrs["href"] for each in notice.all("a")]
    alternatives = alternatives_form(page)
    starts = [each.attrs["value"] for each in alternatives.buttons]
    assert starts == [to_wire(at(15)), to_wire(at(15, 15)), to_wire(at(15, 30))]
    assert len(check_bookings()) == 1, "nothing was written"
    as_owner.post(BOOKINGS, alternatives.data(alternatives.buttons[1]))
    bookings = sorted(check_bookings(), key=lambda each: each.start_key)
    assert [(each.start_key, each.note) for each in bookings] == [
        (to_wire(at(14)), None),
        (to_wire(at(15, 15)), "Por favor"),
    ]


@pytest.mark.parametrize(
    ("fields", "message"),
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
def test_an_invalid_form_shows_an_error_and_keeps_the_input(
    table: str, as_owner: Client, fields: dict[str, str], message: str
) -> None:
    open_shop("maria")
    answer = post_booking(as_owner, **{"start": to_wire(at(14)), "customer_name": "Berta"} | fields)
    assert answer.status_code == 422
    page = parse(answer)
    assert message in page.one("main").text
    assert page.one("input", name="customer_name").attrs["value"] == fields.get("customer_name", "Berta")
    assert check_bookings() == []


def test_a_start_outside_the_hours_is_refused_and_free_times_are_offered(table: str, as_owner: Client) -> None:
    put(service(), customer(), provider("maria"), *working_hours("maria", "09:00", "13:00"))
    answer = post_booking(as_owner, start=to_wire(at(12, 30)))
    assert answer.status_code == 422
    assert "This is outside the staff member's hours, 09:00 to 13:00." in parse(answer).one("main").text
    assert alternatives_form(answer).buttons[0].attrs["value"] == to_wire(at(9, day=1))


def test_a_time_skipped_by_a_clock_change_names_the_next_valid_time(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", zone="Europe/Berlin"), *working_hours("ana"))
    answer = post_booking(as_owner, provider="ana", start="2027-03-28T02:30")
    assert answer.status_code == 422
    assert "The next time is 03:00." in parse(answer).one("main").text


def test_a_booking_with_a_deadline_is_pending_and_takes_its_time(table: str, as_owner: Client) -> None:
    open_shop("maria")
    assert post_booking(as_owner, start=to_wire(at(14)), lapses_at=to_wire(at(10))).status_code == 303
    (booking,) = check_bookings()
    assert (booking.status, booking.lapses_at) == (Status.PENDING, at(10))
    assert post_booking(as_owner, start=to_wire(at(14))).status_code == 409


def test_searching_times_and_customers_keeps_the_input_and_writes_nothing(table: str, as_owner: Client) -> None:
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
    assert check_bookings() == [] and len(customers_of(BUSINESS).items) == 13


@pytest.mark.parametrize(
    ("search_text", "field"),
    [("Berta Luna", "customer_name"), ("berta@example.com", "customer_email"), ("+56 9 1111", "customer_phone")],
)
def test_a_search_without_a_result_fills_the_fields_of_a_new_customer(
    table: str, as_owner: Client, search_text: str, field: str
) -> None:
    open_shop("maria")
    page = parse(as_owner.post(BOOKINGS, {"do": "look", "who": search_text}))
    names = ("customer_name", "customer_email", "customer_phone")
    assert {name: page.one("input", name=name).attrs["value"] for name in names if name != field} == dict.fromkeys(
        {*names} - {field}, ""
    )
    assert page.one("input", name=field).attrs["value"] == search_text
    # A field that is filled in is not overwritten.
    page = parse(as_owner.post(BOOKINGS, {"do": "look", "who": search_text, "customer_name": "Berta"}))
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


def test_an_empty_place_in_the_calendar_opens_the_form_with_its_time(table: str, as_owner: Client) -> None:
    open_shop("maria")
    new = columns(as_owner.get(BOOKINGS + day_query(MONDAY)))["Maria"].attrs["data-new"]
    page = parse(as_owner.get(f"{new}&service=masaje&start={to_wire(at(14))}"))
    (chosen,) = [each for each in page.all("input", name="start") if "checked" in each.attrs]
    assert chosen.attrs["value"] == to_wire(at(14))
    # A time that is taken is reported, and stays in the field for other times.
    book(at(14))
    page = parse(as_owner.get(f"{new}&service=masaje&start={to_wire(at(14, 7))}"))
    assert "Another booking takes this time" in page.by_class("cal-starts")[0].text
    assert page.one("input", name="start_at").attrs["value"] == f"{MONDAY:%Y-%m-%d}T14:07"


def test_without_services_or_providers_the_form_links_to_creating_them(table: str, as_owner: Client) -> None:
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}services/new/"
    put(service())
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}providers/new/"
