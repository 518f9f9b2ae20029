"""A booking's page and its actions, without JavaScript."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.services import bookings as services
from bookings.states import Payment, Status
from dashboard.core.clock import frozen, now
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
    put,
    put_outside_booking,
    reloaded,
)
from tests.bookings.catalog import press_undo
from tests.bookings.screens import BOOKINGS, NEW, blocks, columns, day_query, url_of
from tests.conftest import ACTOR, add_business, every_engine, sign_in
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of


def test_the_page_shows_service_customer_times_and_history(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14), note="Primera vez\n<b>", status=Status.PENDING)
    answer = as_owner.get(url_of(booking.id))
    page = parse(answer)
    text = page.one("main").text
    for expected in (
        "Juan Pérez",
        "Masaje",
        "Maria",
        "To confirm",
        "Not paid",
        "60 minutes",
        "25,000",
        "<b>",
        "14:00–15:00 UTC",
    ):
        assert expected in text, expected
    assert "America/Santiago" in text and "UTC" in text, "both time zones, because they differ"
    assert page.by_class("history")[0].one("p").text.startswith("Alma Ríos booked Juan Pérez")
    assert calls_of(answer).trips <= 2
    assert as_owner.get(url_of("nothing")).status_code == 404
    assert as_owner.get(url_of("a%23b")).status_code == 404


def test_the_page_links_to_the_customers_contact_and_to_book_again(table: str, as_owner: Client) -> None:
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


def test_the_seeds_booking_and_odd_bookings_have_a_page(table: str, as_owner: Client) -> None:
    put_outside_booking(
        "book_789", at(17, 30), by="pro_55", serviceId="svc_123", customerId="cust_001", paymentStatus="PAID"
    )
    put_outside_booking("odd", "soon", by="pro_55", status="DONE", customerId=None, serviceId="svc_123")
    text = parse(as_owner.get(url_of("book_789"))).one("main").text
    assert all(expected in text for expected in ("cust_001", "svc_123", "pro_55", "Confirmed", "Paid"))
    text = parse(as_owner.get(url_of("odd"))).one("main").text
    assert "soon" in text and "DONE" in text
    assert as_owner.get(url_of("odd", "reschedule/")).status_code == 200


# --- Actions ---
ACTS = [
    ("confirm/", {}, Status.PENDING, Status.CONFIRMED, "booking.confirm", Status.PENDING),
    ("unconfirm/", {}, Status.CONFIRMED, Status.PENDING, "booking.unconfirm", Status.CONFIRMED),
    ("cancel/", {"reason": "Enferma"}, Status.CONFIRMED, Status.CANCELLED, "booking.cancel", Status.CONFIRMED),
]


@every_engine
@pytest.mark.parametrize(("act", "fields", "before", "after", "action", "undone"), ACTS)
def test_an_action_changes_the_status_is_audited_and_undone(
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
    booking = book(at(14), status=before)
    next_url = f"{BOOKINGS}?day=2027-01-01"
    answer = as_owner.post(url_of(booking.id, act), fields | {"revision": booking.revision, "next": next_url})
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith(f"{BOOKINGS}?day=2027-01-01&just=maria")
    assert (reloaded(booking.id).status, entries_of(booking.id)[0].action) == (after, action)
    press_undo(as_owner, url_of(booking.id))
    assert reloaded(booking.id).status == undone
    check_bookings()


def test_the_redirect_stays_in_the_business(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    elsewhere = {"payment": "PAID", "revision": booking.revision, "next": "/b/cafe/bookings/"}
    assert as_owner.post(url_of(booking.id, "pay/"), elsewhere).headers["Location"] == url_of(booking.id)


def test_a_no_show_is_recorded_after_the_start_and_undone(table: str, people_by_role: Any, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    early = as_owner.post(url_of(booking.id, "no-show/"), {"revision": booking.revision})
    assert early.status_code == 422 and reloaded(booking.id).status == Status.CONFIRMED
    with frozen(at(15)):
        client = sign_in(people_by_role["owner"])
        form = form_to(client.get(url_of(booking.id)), url_of(booking.id, "no-show/"))
        client.post(form.action, form.data())
        assert reloaded(booking.id).status == Status.NO_SHOW
        press_undo(client, url_of(booking.id))
        assert reloaded(booking.id).status == Status.CONFIRMED


def test_a_payment_is_recorded_and_undone(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    form = form_to(as_owner.get(url_of(booking.id)), url_of(booking.id, "pay/"))
    paid = next(each for each in form.buttons if each.attrs["value"] == Payment.PAID)
    as_owner.post(form.action, form.data(paid))
    assert reloaded(booking.id).payment_status == Payment.PAID
    press_undo(as_owner, url_of(booking.id))
    assert reloaded(booking.id).payment_status == Payment.NONE
    assert as_owner.post(url_of(booking.id, "pay/"), {"revision": 3, "payment": "GOLD"}).status_code == 422


def test_restoring_onto_a_taken_time_is_a_conflict(table: str, as_owner: Client) -> None:
    open_shop("maria")
    booking = book(at(14))
    cancelled = services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
    other = book(at(14, 30))
    answer = as_owner.post(url_of(booking.id, "restore/"), {"revision": cancelled.revision})
    assert answer.status_code == 409
    page = parse(answer)
    assert page.one("h1").text == "This time has been taken"
    assert url_of(other.id) in [each.attrs["href"] for each in page.by_class("notice")[0].all("a")]
    assert reloaded(booking.id).status == Status.CANCELLED
    # The page names the customer and links to another time.
    assert "Juan Pérez" in page.by_class("cal-intro")[0].text
    assert f"{NEW}?service=masaje&provider=maria&customer=juan" in [each.attrs["href"] for each in page.all("a")]
    services.cancel(BUSINESS, other.id, revision=other.revision, command=new_command(ACTOR))
    assert as_owner.post(url_of(booking.id, "restore/"), {"revision": cancelled.revision}).status_code == 303
    assert reloaded(booking.id).status == Status.CONFIRMED


@pytest.mark.parametrize("act", ["confirm/", "cancel/", "restore/", "pay/", "no-show/", "reschedule/"])
def test_a_stale_revision_says_who_changed_the_booking(table: str, as_owner: Client, act: str) -> None:
    open_shop("maria")
    with frozen(now() - timedelta(days=2)):
        booking = book(now() + timedelta(hours=3), status=Status.PENDING)
    services.pay(BUSINESS, booking.id, payment=Payment.PENDING, revision=booking.revision, command=new_command(ACTOR))
    fields = {"revision": booking.revision, "payment": "PAID", "provider": "maria", "start": to_wire(at(16))}
    answer = as_owner.post(url_of(booking.id, act), fields)
    assert answer.status_code == 409
    assert "Alma Ríos changed the booking of Juan Pérez while you had it open" in parse(answer).one("main").text
    assert (reloaded(booking.id).status, reloaded(booking.id).payment_status) == (Status.PENDING, Payment.PENDING)


def test_a_suspended_business_shows_no_buttons(table: str, people_by_role: Any) -> None:
    add_business(BUSINESS, "Andina", "olivia@example.com", status="SUSPENDED")
    open_shop("maria")
    booking = book(at(14))
    client = sign_in(people_by_role["owner"])
    assert blocks(columns(client.get(BOOKINGS + day_query(MONDAY)))["Maria"])
    page = parse(client.get(url_of(booking.id)))
    assert [each for each in page.all("form") if booking.id in each.attrs.get("action", "")] == []
    assert client.post(url_of(booking.id, "cancel/"), {"revision": booking.revision}).status_code in {403, 422}
    assert reloaded(booking.id).status == Status.CONFIRMED
