"""Visitors, whom nobody knows, cause a limited number of mails to one address in a day."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bookings.mail_content import CONFIRMATION
from bookings.online.links import token_of
from dashboard.core.clock import frozen
from dashboard.platform.due import runner
from dashboard.platform.mail.items import BY_VISITOR, CancelReason, MailState, OutgoingMail
from dashboard.platform.mail.queries import mails, mails_about
from dashboard.platform.mail.services import delivery, outbox
from dashboard.table import keys
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.api.shop import JUAN, SITE, public_key, secret_key, send
from tests.bookings.bookable_business import BUSINESS, at, book, check_bookings
from tests.bookings.online.visitor import Visitor, bookings, open_booking_page, own_url
from tests.conftest import ACTOR, sign_in
from tests.mail.letters import Clock, run_mail, run_queues, sent
from tests.table.test_races import run_at_once
from tests.ui.html import Element, parse

MOST = 2


@pytest.fixture(autouse=True)
def low_limit(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(delivery, "MAX_OF_VISITORS", MOST)
    # The limit is one of a day of the clock.
    clock.set(clock.moment.replace(hour=9))


def confirmations() -> list[OutgoingMail]:
    return [each for each in mails(BUSINESS).items if each.kind == CONFIRMATION]


def receivers() -> list[str]:
    return [message.to[0] for message in sent()]


def api_booking(secret: str, hour: int, **headers: str) -> None:
    body = {"service": "masaje", "start": to_wire(at(hour)), "customer": JUAN, "provider": "any"}
    assert send(secret, "bookings", body, **headers).status_code == 201


def test_beyond_the_limit_a_booking_works_without_mail(visitor: Visitor, people_by_role: Any) -> None:
    open_booking_page()
    for hour in (9, 11, 13):
        visitor.book(at(hour))
    visitor.book(at(15), email="ANA@example.com")
    visitor.book(at(17), email="other@example.com")
    visitor.clock.pass_time()
    run_mail()
    assert sorted(receivers()) == ["ana@example.com"] * MOST + ["other@example.com"]
    assert len(check_bookings()) == 5
    stopped = [each for each in confirmations() if each.state == MailState.CANCELLED]
    assert [each.reason for each in stopped] == [CancelReason.TOO_MANY] * 2
    page = sign_in(people_by_role["admin"]).get(f"/b/{BUSINESS}/mail/")
    assert "Too many to this address today" in parse(page).text
    # A person who sends it is no visitor.
    outbox.resend(BUSINESS, stopped[0].place, revision=stopped[0].revision, command=new_command(ACTOR))
    run_mail()
    assert receivers().count("ana@example.com") == MOST + 1


def test_the_next_day_there_is_mail_again(visitor: Visitor) -> None:
    open_booking_page()
    for hour in (9, 11, 13):
        visitor.book(at(hour))
    visitor.clock.pass_time()
    run_mail()
    assert len(sent()) == MOST
    visitor.clock.pass_time(timedelta(days=1))
    visitor.book(at(15))
    visitor.clock.pass_time()
    run_mail()
    assert len(sent()) == MOST + 1


def test_moving_and_cancelling_with_the_link_count(visitor: Visitor) -> None:
    """Who has just booked has the link, whoever the address belongs to."""
    open_booking_page()
    own = own_url(visitor.book(at(9)))
    booking = bookings()[0].id
    times = f"/book/{BUSINESS}/bookings/{token_of(BUSINESS, booking)}/times/?day={at(9):%Y-%m-%d}"
    for hour in (11, 13):
        visitor.send(visitor.get(times).one("form"), {"start": to_wire(at(hour))})
        visitor.clock.pass_time()
        run_mail()
    visitor.send(form_to(visitor.get(own), "cancel"))
    visitor.clock.pass_time()
    run_mail()
    assert {each.cause for each in mails_about(BUSINESS, booking)} == {BY_VISITOR}, "also that of reminders"
    assert len(sent()) == MOST


def test_keys_of_websites_count_and_secret_keys_do_not(visitor: Visitor) -> None:
    open_booking_page()
    public, secret = public_key(), secret_key()
    for hour in (9, 11, 13):
        api_booking(public, hour, Origin=SITE)
    for hour in (15, 17):
        api_booking(secret, hour)
    visitor.clock.pass_time()
    run_mail()
    assert receivers() == ["juan@example.com"] * (MOST + 2)


def test_the_back_office_is_not_limited(visitor: Visitor) -> None:
    open_booking_page()
    visitor.book(at(9), email="juan@example.com", name="Juan Pérez")
    juan = str(bookings()[0].customer_id)
    for hour in (11, 13, 15):
        book(at(hour), who=juan)
    visitor.clock.pass_time()
    run_mail()
    assert len(sent()) == 4


def test_an_attempt_that_failed_counts_once(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    open_booking_page()
    for hour in (9, 11):
        visitor.book(at(hour))
    visitor.clock.pass_time()
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", _fail)
        assert any(each.failed for each in (*run_queues(), *run_queues()))
    visitor.clock.pass_time(timedelta(minutes=5))
    run_mail()
    assert len(sent()) == MOST


def _fail(*_: Any, **__: Any) -> int:
    raise OSError


def test_runs_at_once_keep_the_limit(visitor: Visitor) -> None:
    open_booking_page()
    for hour in (9, 11, 13, 15):
        visitor.book(at(hour))
    visitor.clock.pass_time()
    runner.run(queue=keys.DUE_OUTBOX)
    moment = visitor.clock.moment

    def work(_: int) -> None:
        with frozen(moment):
            runner.run(queue=keys.DUE_MAIL)

    run_at_once(work, threads=4)
    run_mail()
    assert len(sent()) == MOST


def form_to(page: Element, act: str) -> Element:
    return next(each for each in page.all("form") if f"/{act}/" in each.attrs["action"])
