"""A visitor books on the booking page: every step is a plain page, without cookies and scripts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest

from bookings.items import Availability
from bookings.online import limits
from bookings.online.links import new_form_token, token_of
from bookings.online.times import WEEK
from bookings.queries.customers import customers_by_email, load_customer
from bookings.services import bookings as services
from dashboard.core.errors import Unavailable
from tests.bookings.bookable_business import (
    BUSINESS,
    MINUTE,
    at,
    book,
    check_bookings,
    customer,
    entries_of,
    provider,
    put,
    service,
    working_hours,
)
from tests.bookings.online.visitor import (
    CONTACT,
    MONDAY_AT_TEN,
    PAGE,
    Visitor,
    bookings,
    open_booking_page,
    own_url,
    set_rules,
    url,
)
from tests.conftest import every_engine
from tests.mail.letters import Clock
from tests.ui.html import parse


@every_engine
def test_book_step_by_step(visitor: Visitor) -> None:
    open_booking_page()
    services = visitor.get(PAGE)
    (service,) = services.by_class("visitor-choice")
    assert "Masaje" in service.text and "60 min" in service.text

    staff = visitor.get(service.attrs["href"])
    anyone, maria, _pedro = staff.by_class("visitor-choice")
    assert "Anyone" in anyone.text and "Maria" in maria.text

    times = visitor.get(maria.attrs["href"] + f"&day={MONDAY_AT_TEN.date()}")
    links = [each for each in times.all("a") if "start=" in each.attrs.get("href", "")]
    assert links and "Time zone: America/Santiago" in times.text

    contact = visitor.get(links[0].attrs["href"])
    response = visitor.send(contact.one("form"), CONTACT)

    (booking,) = check_bookings()
    assert (booking.status, booking.customer_name, booking.provider, booking.channel) == (
        "CONFIRMED",
        "Ana Ruiz",
        "maria",
        "online",
    )
    (customer,) = customers_by_email(BUSINESS, "ana@example.com")
    assert booking.customer_id == customer.id
    assert [each.action for each in entries_of(booking.id)] == ["booking.create"]
    own = visitor.get(own_url(response))
    assert "You are booked." in own.text and "Masaje" in own.text


def test_times_are_free_ones_of_anyone(visitor: Visitor) -> None:
    open_booking_page()
    book(MONDAY_AT_TEN, by="maria")
    params = {"service": "masaje", "day": str(MONDAY_AT_TEN.date()), "tz": "UTC"}

    def times(provider: str) -> set[str]:
        links = [each.attrs.get("href", "") for each in visitor.get(url(provider=provider, **params)).all("a")]
        return {each.partition("start=")[2].partition("&")[0] for each in links if "start=" in each}

    taken = MONDAY_AT_TEN.strftime("%Y-%m-%dT%H%%3A%M%%3A%SZ")
    assert taken not in times("maria")
    assert taken in times("pedro") and taken in times("any")


def test_anyone_is_whoever_is_free(visitor: Visitor) -> None:
    open_booking_page()
    book(MONDAY_AT_TEN, by="maria")
    visitor.book(MONDAY_AT_TEN)
    assert {each.provider for each in check_bookings()} == {"maria", "pedro"}


def test_a_taken_time_keeps_the_input_and_offers_others(visitor: Visitor) -> None:
    open_booking_page("maria")
    form = visitor.get(url(service="masaje", provider="maria", start=MONDAY_AT_TEN.isoformat())).one("form")
    book(MONDAY_AT_TEN, by="maria", who="juan")
    response = visitor.send(form, CONTACT, status=409)
    html = response.content.decode()
    assert "This time is not free any more." in html and 'value="Ana Ruiz"' in html
    assert "Juan" not in html, "who has the time is not shown"

    again = parse(response).one("form")
    default, other, *_rest = again.all("button")
    assert "formaction" not in default.attrs, "Enter in a field books no other time"
    visitor.send(again, CONTACT, action=other.attrs["formaction"])
    assert len(check_bookings()) == 2


def test_a_form_sent_twice_books_once(visitor: Visitor) -> None:
    open_booking_page()
    form = visitor.get(url(service="masaje", provider="any", start=MONDAY_AT_TEN.isoformat())).one("form")
    first, second = visitor.send(form, CONTACT), visitor.send(form, CONTACT)
    assert own_url(first) == own_url(second)
    assert len(check_bookings()) == 1


def test_a_known_customer_stays_one_customer(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN)
    visitor.book(at(14), email=" ANA@example.com ")
    assert len({each.customer_id for each in check_bookings()}) == 1


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"name": ""}, "This field is required."),
        ({"email": "ana"}, "valid email"),
        ({"email": ""}, "This field is required."),
        ({"phone": "call me"}, "phone number"),
        ({"note": "x" * 2000}, "at most"),
    ],
)
def test_bad_input_is_shown_again(visitor: Visitor, values: dict[str, str], text: str) -> None:
    open_booking_page()
    response = visitor.book(MONDAY_AT_TEN, status=422, **values)
    assert text in response.content.decode() and not bookings()


# --- Programs -----------------------------------------------------------------------------------
def test_a_program_that_fills_every_field_does_not_book(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(MONDAY_AT_TEN, status=422, website="https://spam.example")
    assert not bookings()


def test_a_person_whose_browser_filled_the_hidden_field_can_send_the_form_again(visitor: Visitor) -> None:
    open_booking_page()
    form = parse(visitor.book(MONDAY_AT_TEN, status=422, website="https://ana.example")).one("form")
    typed = {each.attrs["name"]: each.attrs.get("value", "") for each in form.all("input") if "name" in each.attrs}
    visitor.send(form, CONTACT | {"website": typed["website"]})
    assert len(bookings()) == 1


def test_a_form_that_comes_back_at_once_does_not_book(visitor: Visitor) -> None:
    open_booking_page()
    form = visitor.get(url(service="masaje", provider="any", start=MONDAY_AT_TEN.isoformat())).one("form")
    visitor.send(form, CONTACT, status=422, after=0.5)
    assert not bookings()
    visitor.send(form, CONTACT, after=5)
    assert len(bookings()) == 1


def test_the_time_of_a_form_cannot_be_forged(visitor: Visitor) -> None:
    open_booking_page()
    for token in ("", "x", "W10:abc", new_form_token("other"), token_of(BUSINESS, "booking")):
        visitor.book(MONDAY_AT_TEN, status=422, token=token)
    assert not bookings()


def test_a_form_that_is_too_old_can_be_sent_again(visitor: Visitor) -> None:
    open_booking_page()
    form = visitor.get(url(service="masaje", provider="any", start=MONDAY_AT_TEN.isoformat())).one("form")
    response = visitor.send(form, CONTACT, status=422, after=timedelta(hours=13).total_seconds())
    assert "open for too long" in response.content.decode()

    visitor.send(parse(response).one("form"), CONTACT)
    assert len(bookings()) == 1


def test_one_network_books_a_limited_number_of_times(visitor: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "MAX_BOOKINGS", 2)
    open_booking_page()
    visitor.book(at(10), email="a@example.com")
    visitor.book(at(11), email="b@example.com")
    response = visitor.book(at(12), status=429, email="c@example.com")
    assert 'value="c@example.com"' in response.content.decode()
    assert len(bookings()) == 2


def test_one_network_reads_a_limited_number_of_pages(visitor: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "MAX_PAGES", 3)
    open_booking_page()
    for _time in range(3):
        visitor.get(PAGE)
    visitor.get(PAGE, status=429)


# --- Where the page is not open ---------------------------------------------------------------------
@pytest.mark.parametrize("path", [PAGE, "/book/nobody/", "/book/SYSTEM/", f"{PAGE}?key=unknown"])
def test_a_closed_page_does_not_tell_whether_the_business_exists(visitor: Visitor, path: str) -> None:
    open_booking_page(page=False)
    assert "This page cannot be opened." in visitor.get(path, status=404).text


def test_a_suspended_business_cannot_be_booked(visitor: Visitor) -> None:
    open_booking_page()
    set_rules(status="SUSPENDED")
    visitor.get(PAGE, status=404)


@pytest.mark.parametrize(
    "params",
    [
        {"service": "other"},
        {"service": "masaje", "provider": "other"},
        {"service": "masaje", "provider": "any", "start": "soon"},
        {"service": "a#b", "provider": "#"},
    ],
)
def test_unknown_choices_answer_404(visitor: Visitor, params: dict[str, str]) -> None:
    open_booking_page()
    visitor.get(url(**params), status=404)


@pytest.mark.parametrize("day", ["", "yesterday", "1999-01-01", "9999-12-31", "2026-02-30"])
def test_a_day_that_cannot_be_shown_is_replaced(visitor: Visitor, day: str) -> None:
    open_booking_page()
    visitor.get(url(service="masaje", provider="any", day=day))


def test_a_page_costs_one_trip(visitor: Visitor) -> None:
    open_booking_page()
    for path in (PAGE, url(service="masaje"), url(service="masaje", provider="any")):
        response: Any = visitor.client.get(path)
        assert response.wsgi_request.oplog.trips == 1, path


def test_a_week_without_free_times_offers_the_next_free_day(visitor: Visitor) -> None:
    """One more trip. The free day is really free: bookings are read, too."""
    open_booking_page("maria")
    put(provider("eva", "corte"), service("corte", name="Corte"))
    first = working_hours("eva", "10:00", "12:00", ("MON",))[0]
    assert isinstance(first, Availability)
    first.exceptions = [{"date": str((MONDAY_AT_TEN - weeks * WEEK).date()), "type": "OFF"} for weeks in range(1, 6)]
    put(first)
    response = visitor.client.get(url(service="corte", provider="eva", tz="UTC"))
    (link,) = [each for each in parse(response).all("a") if "Next free day" in each.text]
    assert f"day={MONDAY_AT_TEN.date()}" in link.attrs["href"]
    assert response.wsgi_request.oplog.trips == 2  # type: ignore[attr-defined]
    book(MONDAY_AT_TEN, by="eva", what="corte")
    book(at(11), by="eva", what="corte")
    assert "Next free day" not in visitor.get(url(service="corte", provider="eva", tz="UTC")).text


def test_nobody_works_for_weeks(visitor: Visitor) -> None:
    open_booking_page("maria")
    put(provider("eva", "corte"), service("corte", name="Corte"))
    page = visitor.get(url(service="corte", provider="any"))
    assert "No free times in this week." in page.text and "Next free day" not in page.text


@pytest.mark.parametrize("zone", ["America/Santiago", "Asia/Tokyo", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_a_time_is_the_same_moment_in_every_zone(visitor: Visitor, zone: str) -> None:
    """The staff member works in Madrid, whose clock changes on 28 March 2027."""
    open_booking_page("maria")
    put(provider("eva", "corte", zone="Europe/Madrid"), service("corte", name="Corte"))
    put(*working_hours("eva", "09:00", "10:00", ("SAT", "SUN")))
    visitor.clock.set(datetime(2027, 3, 20, 12, tzinfo=UTC))
    shown = set()
    for day in ("2027-03-20", "2027-03-27"):
        links = visitor.get(url(service="corte", provider="eva", tz=zone, day=day)).all("a")
        shown |= {unquote(each.attrs.get("href", "").partition("start=")[2][:24]) for each in links}
    assert {"2027-03-21T08:00:00Z", "2027-03-27T08:00:00Z", "2027-03-28T07:00:00Z"} <= {each[:20] for each in shown}
    assert "2027-03-28T08:00:00Z" not in {each[:20] for each in shown}


def test_a_form_that_could_not_be_saved_keeps_its_input_and_books_once(visitor: Visitor, monkeypatch: Any) -> None:
    open_booking_page("maria")
    create, form = (
        services.create,
        visitor.get(url(service="masaje", provider="any", start=MONDAY_AT_TEN.isoformat())).one("form"),
    )

    def create_without_answer(*args: Any, **options: Any) -> Any:
        create(*args, **options)
        raise Unavailable

    monkeypatch.setattr(services, "create", create_without_answer)
    response = visitor.send(form, CONTACT, status=503)
    assert 'value="Ana Ruiz"' in response.content.decode()
    monkeypatch.setattr(services, "create", create)
    visitor.send(parse(response).one("form"), CONTACT)
    assert len(check_bookings()) == 1


def test_the_customer_gets_mail_in_the_language_of_the_page(clock: Clock) -> None:
    open_booking_page()
    Visitor(clock, **{"accept-language": "es-CL"}).book(MONDAY_AT_TEN)
    (booking,) = bookings()
    assert load_customer(BUSINESS, booking.customer_id or "").language == "es"


def test_several_customers_with_one_address_stay_as_many(visitor: Visitor) -> None:
    open_booking_page()
    for name in ("Rosa Ruiz", "Ana Ruíz"):
        who = customer(name)
        who.name, who.email = name, "ana@example.com"
        put(who)
    visitor.book(MONDAY_AT_TEN)
    visitor.book(at(14), name="Luis Ruiz")
    assert {each.customer_id for each in check_bookings()} == {"Ana Ruíz", sorted(["Rosa Ruiz", "Ana Ruíz"])[0]}
    assert len(customers_by_email(BUSINESS, "ana@example.com")) == 2


def test_the_deadline_is_not_after_the_start(visitor: Visitor) -> None:
    open_booking_page(confirms=True)
    visitor.clock.set(MONDAY_AT_TEN - 10 * MINUTE)
    visitor.book(MONDAY_AT_TEN)
    assert [each.lapses_at for each in bookings()] == [MONDAY_AT_TEN]


def test_language_and_zone_follow_the_visitor(visitor: Visitor) -> None:
    open_booking_page()
    page = visitor.get(url(service="masaje", provider="any", lang="es-CL", tz="Europe/Madrid"))
    assert "Zona horaria: Europe/Madrid" in page.text
    assert all("lang=es" in each.attrs["href"] for each in page.by_class("visitor-back"))


def test_every_error_is_a_page_for_visitors(visitor: Visitor, settings: Any) -> None:
    """Not one of the back office, which has links that visitors cannot open."""
    open_booking_page()
    large = {"note": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}
    responses = {
        405: visitor.client.put(f"{PAGE}?lang=es"),
        413: visitor.client.post(PAGE, large),
        400: visitor.client.post(PAGE, "%", content_type="multipart/form-data"),
        404: visitor.client.get(f"{PAGE}nothing/"),
    }
    for status, response in responses.items():
        assert response.status_code == status, (status, response.status_code)
        root = parse(response)
        assert root.one("body").attrs["class"] == "visitor" and not root.all("nav"), status
        assert root.one("h1").text == ("No disponible" if status == 405 else "Not available")
