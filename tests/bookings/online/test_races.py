"""Visitors who book at the same time, over a network that loses replies."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from functools import partial
from typing import Any

from bookings.online import limits
from bookings.queries.customers import customers_by_email
from bookings.queries.holds import find_hold
from bookings.services import bookings as services
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, at, check_bookings
from tests.bookings.online.visitor import CONTACT, MONDAY_AT_TEN, Visitor, open_booking_page, url
from tests.conftest import ACTOR, real_engines
from tests.faults import bad_network, lose_reply
from tests.mail.letters import MINUTE
from tests.ui.html import Element

VISITORS = 8


def open_form(visitor: Visitor, start: datetime, provider: str = "any") -> Element:
    return visitor.get(url(service="masaje", provider=provider, start=to_wire(start))).one("form")


def post(visitor: Visitor, form: Element, **values: str) -> Any:
    """Send the form until it is answered, as a person does who reads that sending it again is safe."""
    hidden = {each.attrs["name"]: each.attrs.get("value", "") for each in form.all("input", type="hidden")}
    while True:
        response = visitor.client.post(form.attrs["action"], hidden | CONTACT | values)
        if response.status_code != 503:
            return response


def at_once(*actions: Callable[[], Any]) -> list[int]:
    with bad_network() as network, ThreadPoolExecutor(len(actions)) as pool:
        network.add_random_fault(0.05, lose_reply)
        # The clock of the test is in its context.
        running = [pool.submit(copy_context().run, each) for each in actions]
        return sorted(each.result().status_code for each in running)


@real_engines
def test_one_of_many_visitors_gets_the_time(visitor: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "MAX_BOOKINGS", 1000)
    open_booking_page("maria")
    forms = [open_form(visitor, MONDAY_AT_TEN) for _each in range(VISITORS)]
    visitor.clock.pass_time(MINUTE)
    actions = [partial(post, visitor, form, email=f"v{n}@example.com") for n, form in enumerate(forms)]
    assert at_once(*actions) == [303] + [409] * (VISITORS - 1)
    assert len(check_bookings()) == 1


@real_engines
def test_a_visitor_who_books_twice_at_once_has_one_booking_to_confirm(visitor: Visitor, monkeypatch: Any) -> None:
    """With different staff members, so that nothing but the hold can refuse a booking."""
    monkeypatch.setattr(limits, "MAX_BOOKINGS", 1000)
    staff = [f"staff{number}" for number in range(VISITORS)]
    open_booking_page(*staff, confirms=True)
    for hour in (9, 11, 13):
        forms = [open_form(visitor, at(hour), provider) for provider in staff]
        visitor.clock.pass_time(MINUTE)
        assert at_once(*(partial(post, visitor, form) for form in forms)) == [303] + [422] * (VISITORS - 1)
        (pending,) = [each for each in check_bookings() if each.state(visitor.clock.moment) == "PENDING"]
        hold = find_hold(BUSINESS, CONTACT["email"])
        assert hold is not None and hold.booking_id == pending.id
        if hour == 9:
            # The next hold replaces one that is still there, the last one a hold that has lapsed.
            services.cancel(BUSINESS, pending.id, revision=pending.revision, reason="", command=new_command(ACTOR))
        else:
            visitor.clock.pass_time(31 * MINUTE)


@real_engines
def test_a_form_sent_many_times_at_once_books_once(visitor: Visitor, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "MAX_BOOKINGS", 1000)
    open_booking_page("maria", "pedro")
    form = open_form(visitor, MONDAY_AT_TEN)
    visitor.clock.pass_time(MINUTE)
    assert at_once(*([partial(post, visitor, form)] * VISITORS)) == [303] * VISITORS
    assert len(check_bookings()) == 1
    assert len(customers_by_email(BUSINESS, CONTACT["email"])) == 1
