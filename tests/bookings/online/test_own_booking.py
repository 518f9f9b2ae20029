"""A visitor confirms, moves and cancels their booking with a signed link, and nobody else can."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import signing

from bookings.online.links import mail_link, read_token, token_of
from dashboard.core.errors import NotFound
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, at, book, check_bookings
from tests.bookings.online.visitor import (
    MONDAY_AT_TEN,
    Visitor,
    bookings,
    link_in,
    open_booking_page,
    own_url,
    set_rules,
)
from tests.conftest import add_business, every_engine
from tests.mail.letters import run_mail, sent
from tests.ui.html import Element, parse


def path_of(booking_id: str, *, is_from_mail: bool = False) -> str:
    return f"/book/{BUSINESS}/bookings/{token_of(BUSINESS, booking_id, is_from_mail=is_from_mail)}/"


def form_to(page: Element, action: str) -> Element:
    return next(each for each in page.all("form") if f"/{action}/" in each.attrs["action"])


@every_engine
def test_move_and_cancel(visitor: Visitor) -> None:
    open_booking_page()
    own = visitor.get(own_url(visitor.book(MONDAY_AT_TEN)))
    (booking,) = bookings()
    times = visitor.get(path_of(booking.id) + f"times/?day={MONDAY_AT_TEN.date()}&tz=UTC")
    form = form_to(times, "move")
    chosen = next(each for each in form.all("button") if "14:00" in each.text)
    moved = visitor.send(form, {"start": chosen.attrs["value"]})
    assert "Your booking was moved." in visitor.get(own_url(moved)).text
    assert [each.start_time for each in check_bookings()] == [at(14)]

    page = visitor.get(path_of(booking.id))
    cancelled = visitor.send(form_to(page, "cancel"), {"reason": "I am ill"})
    assert "Your booking was cancelled." in visitor.get(own_url(cancelled)).text
    assert [(each.status, each.cancel_reason) for each in check_bookings()] == [("CANCELLED", "I am ill")]
    assert own


def test_the_own_time_does_not_block_the_booking(visitor: Visitor) -> None:
    open_booking_page("maria")
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    times = visitor.get(path_of(booking.id) + f"times/?day={MONDAY_AT_TEN.date()}&tz=UTC")
    starts = {each.attrs.get("value") for each in form_to(times, "move").all("button")}
    assert to_wire(at(10, 15)) in starts and to_wire(at(10)) not in starts


def test_a_time_that_was_taken_meanwhile(visitor: Visitor) -> None:
    open_booking_page("maria")
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    form = form_to(visitor.get(path_of(booking.id) + f"times/?day={MONDAY_AT_TEN.date()}"), "move")
    book(at(14), by="maria")
    response = visitor.send(form, {"start": at(14).isoformat()}, status=409)
    assert "Your booking was not moved." in response.content.decode()
    assert "Juan" not in response.content.decode()


def test_sent_twice(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    form = form_to(visitor.get(path_of(booking.id)), "cancel")
    visitor.send(form, {"reason": ""})
    visitor.send(form, {"reason": ""})
    assert [each.status for each in check_bookings()] == ["CANCELLED"]


def test_the_business_was_faster(visitor: Visitor) -> None:
    from bookings.services import bookings as services
    from dashboard.table.commands import new_command
    from tests.conftest import ACTOR

    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    form = form_to(visitor.get(path_of(booking.id)), "cancel")
    services.reschedule(
        BUSINESS, booking.id, provider="maria", start=at(15), revision=booking.revision, command=new_command(ACTOR)
    )
    response = visitor.send(form, status=409)
    assert "This booking has changed meanwhile." in response.content.decode()
    assert [each.status for each in check_bookings()] == ["CONFIRMED"]


def test_a_past_booking_cannot_be_changed(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    visitor.clock.set(MONDAY_AT_TEN + timedelta(minutes=1))
    page = visitor.get(path_of(booking.id))
    assert not page.all("form")
    visitor.get(path_of(booking.id) + "times/", status=422)
    visitor.get(path_of(booking.id) + "booking.ics", status=404)


def test_the_calendar_file(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    response = visitor.client.get(path_of(booking.id) + "booking.ics")
    assert response.headers["Content-Type"].startswith("text/calendar")
    assert f"DTSTART:{MONDAY_AT_TEN:%Y%m%dT%H%M%SZ}" in response.content.decode()


# --- Links --------------------------------------------------------------------------------------
def test_a_forged_link_opens_nothing(visitor: Visitor) -> None:
    open_booking_page()
    add_business("other", "Other")
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    good = token_of(BUSINESS, booking.id)
    wrong = signing.Signer(salt="another purpose").sign_object([BUSINESS, booking.id, True])
    for token in (good[:-1] + ("A" if good[-1] != "A" else "B"), wrong, booking.id, "x" * 3000):
        visitor.get(f"/book/{BUSINESS}/bookings/{token}/", status=404)
    visitor.get(f"/book/other/bookings/{good}/", status=404)
    visitor.get(f"/book/{BUSINESS}/bookings/{token_of(BUSINESS, 'unknown')}/", status=404)
    # Outside writers choose ids, so two businesses may have the same.
    with pytest.raises(NotFound):
        read_token("other", good)


def test_a_link_works_while_the_page_is_closed(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    set_rules(online_page="")
    visitor.get(path_of(booking.id))


# --- Confirmation by e-mail ---------------------------------------------------------------------
def test_confirm_with_the_link_in_the_mail(visitor: Visitor) -> None:
    open_booking_page(confirms=True)
    own = visitor.get(own_url(visitor.book(MONDAY_AT_TEN)))
    assert "open the link in our e-mail" in own.text
    (booking,) = check_bookings()
    assert booking.status == "PENDING" and booking.lapses_at is not None

    visitor.clock.pass_time()
    run_mail()
    (mail,) = sent()
    assert mail.to == ["ana@example.com"] and mail.subject.startswith("Confirm")
    page = visitor.get(link_in(mail.body))
    confirmed = visitor.send(form_to(page, "confirm"))
    assert "Your booking is confirmed." in visitor.get(own_url(confirmed)).text
    assert [each.status for each in check_bookings()] == ["CONFIRMED"]


def test_only_the_link_in_the_mail_confirms(visitor: Visitor) -> None:
    open_booking_page(confirms=True)
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    page = visitor.get(path_of(booking.id))
    assert not [each for each in page.all("form") if "/confirm/" in each.attrs["action"]]
    response = visitor.client.post(path_of(booking.id) + "confirm/", {"revision": booking.revision})
    assert response.status_code == 404
    assert [each.status for each in bookings()] == ["PENDING"]


def test_opening_the_link_confirms_nothing(visitor: Visitor) -> None:
    """Programs that check mail for viruses open links."""
    open_booking_page(confirms=True)
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    visitor.get(path_of(booking.id, is_from_mail=True))
    assert [each.status for each in bookings()] == ["PENDING"]


def test_the_time_is_free_again_after_the_deadline(visitor: Visitor) -> None:
    open_booking_page("maria", confirms=True)
    visitor.book(MONDAY_AT_TEN)
    visitor.clock.pass_time(timedelta(minutes=31))
    visitor.book(MONDAY_AT_TEN, email="other@example.com")
    (booking, *_rest) = [each for each in bookings() if each.customer_name == "Ana Ruiz"]
    assert booking is not None


def test_a_visitor_has_one_booking_to_confirm(visitor: Visitor) -> None:
    open_booking_page(confirms=True)
    first = own_url(visitor.book(MONDAY_AT_TEN))
    response = visitor.book(at(14), status=422)
    assert "not confirmed yet" in response.content.decode()
    visitor.book(at(14), email="other@example.com")
    visitor.send(form_to(visitor.get(first), "cancel"))
    visitor.book(at(15))
    assert len([each for each in check_bookings() if each.status == "PENDING"]) == 2


def test_without_mail_the_business_confirms(visitor: Visitor, settings: Any) -> None:
    settings.MAIL_IS_CONFIGURED = False
    open_booking_page(confirms=True)
    own = visitor.get(own_url(visitor.book(MONDAY_AT_TEN)))
    assert "The business will confirm your booking." in own.text
    (booking,) = check_bookings()
    assert booking.status == "PENDING" and booking.lapses_at is None


def test_the_mail_has_a_link_that_pages_hide(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    visitor.clock.pass_time()
    run_mail()
    (mail,) = sent()
    assert mail_link(BUSINESS, booking.id) in mail.body
    from tests.mail.letters import only

    stored = only("booking.confirmation")
    assert "/book/" not in (stored.body or "") and "••••" in (stored.body or "")


def test_an_address_that_is_opened_later_says_only_what_is_still_true(visitor: Visitor) -> None:
    open_booking_page()
    booked = own_url(visitor.book(MONDAY_AT_TEN))
    assert "You are booked." in visitor.get(booked).text
    assert "cancelled" not in visitor.get(f"{booked}&did=cancelled").text
    (booking,) = bookings()
    visitor.send(form_to(visitor.get(path_of(booking.id)), "cancel"))
    for address in (booked, f"{path_of(booking.id)}?did=moved", f"{path_of(booking.id)}?did=confirmed"):
        page = visitor.get(address).text
        assert not any(each in page for each in ("You are booked.", "was moved", "is confirmed")), address


def test_a_refused_form_links_to_the_page_in_another_language(visitor: Visitor) -> None:
    """The address of a form only answers to forms."""
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    response = visitor.client.post(path_of(booking.id) + "cancel/", {"token": "x"})
    assert response.status_code == 422
    spanish = next(each for each in parse(response).all("a") if each.text == "Español")
    visitor.get(spanish.attrs["href"])


def test_a_link_shows_nothing_about_the_customer(visitor: Visitor) -> None:
    """Who gets the link of somebody else, or books with their e-mail, does not learn who they are."""
    open_booking_page()
    visitor.book(MONDAY_AT_TEN, note="Second floor")
    own = own_url(visitor.book(at(14), name="Somebody"))
    secrets = ("Ana", "Ruiz", "ana@example.com", "1234", "Second floor")
    for path in (own, own.partition("?")[0] + "times/", own.partition("?")[0] + "booking.ics"):
        content = visitor.client.get(path).content.decode()
        assert not any(each in content for each in secrets), path


@pytest.mark.parametrize("path", ["", "times/", "booking.ics"])
def test_another_business_is_not_read(visitor: Visitor, path: str) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    add_business("other", "Other")
    token = token_of("other", booking.id)
    visitor.get(f"/book/other/bookings/{token}/{path}", status=404)


def test_errors_are_pages(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    (booking,) = bookings()
    response = visitor.client.post(path_of(booking.id) + "move/", {"start": "soon"})
    assert response.status_code == 422 and parse(response)
