"""A booking is made, looked at and decided on: by forms that work as plain pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.queries.customers import customers_of
from bookings.services import bookings as services
from bookings.states import Payment, Status
from dashboard.clock import frozen, now
from dashboard.table.operations import new_operation
from dashboard.table.timestamps import to_wire
from tests.bookings.catalog import press_undo
from tests.bookings.making import (
    BUSINESS,
    MONDAY,
    at,
    book,
    customer,
    entries_of,
    foreign,
    in_step,
    now_is,
    open_shop,
    provider,
    put,
    service,
    works,
)
from tests.bookings.screens import BOOKINGS, NEW, blocks, columns, offers, on, url_of
from tests.conftest import ALMA, add_business, every_engine, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import calls_of

WISH = {"service": "masaje", "provider": "maria", "customer": "juan"}


def send(client: Client, **fields: Any) -> Any:
    return client.post(BOOKINGS, WISH | fields)


# --- Making ---
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
    assert toasts(shown) == [f"Juan Pérez is booked: {MONDAY:%a} {MONDAY.day} {MONDAY:%b %Y}, 14:00 UTC."]
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
    newcomer = {"customer": "", "customer_name": "Ana Díaz", "customer_phone": "+56 9 1111"}
    sent = form.data() | WISH | newcomer | {"start": to_wire(at(14))}
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


@every_engine
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
        ({"provider": ""}, "Choose a provider."),
        ({"start": ""}, "Choose a time, or write one."),
        ({"start": "tomorrow"}, "Write it as year-month-day"),
        ({"customer": "", "customer_name": ""}, "Choose a customer, or write the name of a new one."),
        ({"customer": "nobody"}, "There is no such customer."),
        ({"service": "nothing"}, "There is no such service."),
        ({"provider": "nobody"}, "There is no such provider."),
        ({"customer": "", "customer_name": "Ana", "customer_email": "x"}, "valid email"),
        ({"customer": "", "customer_name": "", "customer_phone": "+56 9 1"}, "This field is required."),
        ({"start": "2020-01-06T10:00"}, "This is in the past."),
        ({"status": "PENDING", "lapses_at": "2020-01-06T10:00"}, "This is in the past."),
        ({"lapses_at": "soon"}, "Write it as year-month-day"),
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
    assert "It does not fit into the provider's hours, 09:00 to 13:00." in parse(answer).one("main").text
    assert offers(answer).buttons[0].attrs["value"] == to_wire(at(9, day=1))


def test_a_time_that_the_clocks_skip_names_the_next(table: str, as_owner: Client) -> None:
    open_shop("maria")
    put(provider("ana", zone="Europe/Berlin"), *works("ana"))
    answer = send(as_owner, provider="ana", start="2027-03-28T02:30")
    assert answer.status_code == 422
    assert "The next time there is: 03:00." in parse(answer).one("main").text


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
    fields = {"service": "masaje", "provider": "maria", "day": MONDAY.date().isoformat(), "who": "c1", "note": "Hola"}
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
    assert "45 min" in choice.text and "not with this provider" in choice.text
    assert "This provider does not offer the service" in page.one("div", id="offers").text
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
    assert "Another booking has this time" in page.by_class("cal-starts")[0].text
    assert page.one("input", name="start_at").attrs["value"] == f"{MONDAY:%Y-%m-%d}T14:07"


def test_the_form_teaches_where_there_is_nothing_to_book(table: str, as_owner: Client) -> None:
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}services/new/"
    put(service())
    assert parse(as_owner.get(NEW)).by_class("empty")[0].one("a").attrs["href"] == f"{BOOKINGS}providers/new/"


# --- Looking ---
def test_a_bookings_page_says_what_who_when_and_what_was_done(table: str, as_owner: Client) -> None:
    open_shop("maria")
    made = book(at(14), note="Primera vez\n<b>", status=Status.PENDING)
    answer = as_owner.get(url_of(made.id))
    page = parse(answer)
    text = page.one("main").text
    for said in (
        "Juan Pérez",
        "Masaje",
        "Maria",
        "Waiting",
        "Not paid",
        "60 minutes",
        "25,000",
        "<b>",
        "14:00–15:00 UTC",
    ):
        assert said in text, said
    assert "America/Santiago" in text and "UTC" in text, "both clocks, as they differ"
    assert page.by_class("history")[0].one("p").text.startswith("Alma Ríos booked Juan Pérez")
    assert calls_of(answer).trips <= 2
    assert as_owner.get(url_of("nothing")).status_code == 404
    assert as_owner.get(url_of("a%23b")).status_code == 404


def test_from_a_booking_one_calls_whoever_comes_and_books_the_next(table: str, as_owner: Client) -> None:
    open_shop("maria")
    ana = customer("ana")
    ana.phone, ana.email = "+56 9 1234-5678", "ana@example.com"
    put(ana)
    page = parse(as_owner.get(url_of(book(at(14), who="ana").id)))
    (contact,) = page.by_class("contact")
    there = parse(as_owner.get(contact.attrs["hx-get"])).one("p", id="contact")
    assert [each.attrs["href"] for each in there.all("a")] == ["tel:+56912345678", "mailto:ana@example.com"]
    (again,) = [each for each in page.all("a") if "Book again" in each.text]
    form = parse(as_owner.get(again.attrs["href"]))
    chosen = [each.attrs["value"] for each in form.all("input", name="customer") if "checked" in each.attrs]
    assert chosen == ["ana"]
    assert [each.attrs["value"] for each in form.all("option") if "selected" in each.attrs][:2] == ["masaje", "maria"]


def test_the_seeds_booking_and_odder_ones_have_a_page(table: str, as_owner: Client) -> None:
    foreign("book_789", at(17, 30), by="pro_55", serviceId="svc_123", customerId="cust_001", paymentStatus="PAID")
    foreign("odd", "soon", by="pro_55", status="DONE", customerId=None, serviceId="svc_123")
    text = parse(as_owner.get(url_of("book_789"))).one("main").text
    assert all(said in text for said in ("cust_001", "svc_123", "pro_55", "Confirmed", "Paid"))
    text = parse(as_owner.get(url_of("odd"))).one("main").text
    assert "soon" in text and "DONE" in text
    assert as_owner.get(url_of("odd", "reschedule/")).status_code == 200


# --- Deciding ---
ACTS = [
    ("confirm/", {}, Status.PENDING, Status.CONFIRMED, "booking.confirm", Status.PENDING),
    ("unconfirm/", {}, Status.CONFIRMED, Status.PENDING, "booking.unconfirm", Status.CONFIRMED),
    ("cancel/", {"reason": "Enferma"}, Status.CONFIRMED, Status.CANCELLED, "booking.cancel", Status.CONFIRMED),
]


@every_engine
@pytest.mark.parametrize(("act", "fields", "before", "after", "action", "undone"), ACTS)
def test_a_button_does_it_says_it_and_can_be_undone(
    table: str,
    as_owner: Client,
    act: str,
    fields: dict[str, str],
    before: Status,
    after: Status,
    action: str,
    undone: Status,
) -> None:
    open_shop("maria")
    made = book(at(14), status=before)
    back = f"{BOOKINGS}?day=2027-01-01"
    answer = as_owner.post(url_of(made.id, act), fields | {"version": made.seen, "next": back})
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith(f"{BOOKINGS}?day=2027-01-01&just=maria")
    assert (now_is(made.id).status, entries_of(made.id)[0].action) == (after, action)
    press_undo(as_owner, url_of(made.id))
    assert now_is(made.id).status == undone
    in_step()


def test_nobody_is_led_to_another_business(table: str, as_owner: Client) -> None:
    open_shop("maria")
    made = book(at(14))
    elsewhere = {"payment": "PAID", "version": made.seen, "next": "/b/cafe/bookings/"}
    assert as_owner.post(url_of(made.id, "pay/"), elsewhere).headers["Location"] == url_of(made.id)


def test_nobody_came_and_then_they_did(table: str, cast: Any, as_owner: Client) -> None:
    open_shop("maria")
    made = book(at(14))
    early = as_owner.post(url_of(made.id, "no-show/"), {"version": made.seen})
    assert early.status_code == 422 and now_is(made.id).status == Status.CONFIRMED
    with frozen(at(15)):
        client = sign_in(cast["owner"])
        form = form_to(client.get(url_of(made.id)), url_of(made.id, "no-show/"))
        client.post(form.action, form.data())
        assert now_is(made.id).status == Status.NO_SHOW
        press_undo(client, url_of(made.id))
        assert now_is(made.id).status == Status.CONFIRMED


def test_payment_is_noted_and_undone(table: str, as_owner: Client) -> None:
    open_shop("maria")
    made = book(at(14))
    form = form_to(as_owner.get(url_of(made.id)), url_of(made.id, "pay/"))
    paid = next(each for each in form.buttons if each.attrs["value"] == Payment.PAID)
    as_owner.post(form.action, form.data(paid))
    assert now_is(made.id).payment_status == Payment.PAID
    press_undo(as_owner, url_of(made.id))
    assert now_is(made.id).payment_status == Payment.NONE
    assert as_owner.post(url_of(made.id, "pay/"), {"version": 3, "payment": "GOLD"}).status_code == 422


def test_a_restored_booking_meets_whoever_has_its_time_by_now(table: str, as_owner: Client) -> None:
    open_shop("maria")
    made = book(at(14))
    gone = services.cancel(BUSINESS, made.id, seen=made.seen, operation=new_operation(ALMA))
    other = book(at(14, 30))
    answer = as_owner.post(url_of(made.id, "restore/"), {"version": gone.seen})
    assert answer.status_code == 409
    page = parse(answer)
    assert page.one("h1").text == "Its time is taken by now"
    assert url_of(other.id) in [each.attrs["href"] for each in page.by_class("notice")[0].all("a")]
    assert now_is(made.id).status == Status.CANCELLED
    # Whose it is, and the way to another time.
    assert "Juan Pérez" in page.by_class("cal-about")[0].text
    assert f"{NEW}?service=masaje&provider=maria&customer=juan" in [each.attrs["href"] for each in page.all("a")]
    services.cancel(BUSINESS, other.id, seen=other.seen, operation=new_operation(ALMA))
    assert as_owner.post(url_of(made.id, "restore/"), {"version": gone.seen}).status_code == 303
    assert now_is(made.id).status == Status.CONFIRMED


@pytest.mark.parametrize("act", ["confirm/", "cancel/", "restore/", "pay/", "no-show/", "reschedule/"])
def test_whoever_saw_something_older_reads_who_and_what(table: str, as_owner: Client, act: str) -> None:
    open_shop("maria")
    with frozen(now() - timedelta(days=2)):
        made = book(now() + timedelta(hours=3), status=Status.PENDING)
    services.pay(BUSINESS, made.id, status=Payment.PENDING, seen=made.seen, operation=new_operation(ALMA))
    fields = {"version": made.seen, "payment": "PAID", "provider": "maria", "start": to_wire(at(16))}
    answer = as_owner.post(url_of(made.id, act), fields)
    assert answer.status_code == 409
    assert "Alma Ríos changed the booking of Juan Pérez while you had it open" in parse(answer).one("main").text
    assert (now_is(made.id).status, now_is(made.id).payment_status) == (Status.PENDING, Payment.PENDING)


def test_a_closed_business_offers_no_buttons(table: str, cast: Any) -> None:
    add_business(BUSINESS, "Andina", "olivia@example.com", status="SUSPENDED")
    open_shop("maria")
    made = book(at(14))
    client = sign_in(cast["owner"])
    assert blocks(columns(client.get(BOOKINGS + on(MONDAY)))["Maria"])
    page = parse(client.get(url_of(made.id)))
    assert [each for each in page.all("form") if made.id in each.attrs.get("action", "")] == []
    assert client.post(url_of(made.id, "cancel/"), {"version": made.seen}).status_code in {403, 422}
    assert now_is(made.id).status == Status.CONFIRMED
