"""Mail is derived from audit entries, sent once, and not sent if it is obsolete."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import Any

import pytest

from bookings.mail_content import CANCELLATION, CONFIRMATION, REMINDER, RESCHEDULE
from bookings.services import bookings as services
from bookings.services import reschedule
from bookings.states import Status
from dashboard.core.clock import frozen, now
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.businesses.queries import load_business
from dashboard.platform.due import runner
from dashboard.platform.mail.items import CancelReason, MailState
from dashboard.platform.mail.services import delivery
from dashboard.platform.outbox.registry import without_follow_ups
from dashboard.table.commands import new_command
from dashboard.table.transactions import Transaction
from tests.bookings.bookable_business import BUSINESS, at, book
from tests.conftest import ACTOR, real_engines
from tests.faults import bad_network, lose_reply
from tests.mail.letters import Clock, only, run_mail, run_queues, sent, set_customer, states
from tests.table.test_races import run_at_once


def cancel(booking: Any) -> Any:
    return services.cancel(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))


def move(booking: Any, start: Any) -> Any:
    return reschedule.reschedule(
        BUSINESS, booking.id, provider="maria", start=start, revision=booking.revision, command=new_command(ACTOR)
    )


def test_a_confirmation_is_sent_after_a_minute_and_a_reminder_a_day_before(table: str, clock: Clock) -> None:
    book(at(15))
    assert run_mail() == [], "the minute for Undo has not passed"
    clock.pass_time()
    assert run_mail() == ["queued 2", "sent"]
    (message,) = sent()
    assert message.to == ["juan@example.com"]
    assert message.from_email == "Coca-Cola Andina <noreply@example.com>"
    assert message.subject.startswith("Tu reserva en Coca-Cola Andina"), "the language of the business"
    assert "Juan Pérez" in message.body and "12:00" in message.body, "15:00 UTC in Santiago"
    (calendar,) = [each for each in message.attachments if each[0] == "booking.ics"]
    assert f"DTSTART:{at(15):%Y%m%dT%H%M%SZ}" in calendar[1]
    assert states() == {CONFIRMATION: MailState.SENT, REMINDER: MailState.QUEUED}
    assert only(CONFIRMATION).body == message.body
    clock.set(at(15) - timedelta(hours=24))
    assert run_mail() == ["sent"]
    assert sent()[1].subject.startswith("Recordatorio")
    assert run_mail() == []


def test_mail_is_in_the_language_of_the_customer(table: str, clock: Clock) -> None:
    set_customer(language="en-US")
    book(at(15))
    clock.pass_time()
    run_mail()
    assert sent()[0].subject.startswith("Your booking at")


def test_nothing_is_queued_where_mail_is_not_set_up(table: str, clock: Clock, settings: Any) -> None:
    with without_follow_ups():
        book(at(9))
    settings.MAIL_IS_CONFIGURED = False
    book(at(15))
    clock.pass_time()
    assert run_mail() == []
    assert all(entry.due_at is None for entry in latest_of(BUSINESS))


def test_a_pending_booking_is_announced_when_it_is_confirmed(table: str, clock: Clock) -> None:
    booking = book(at(15), status=Status.PENDING)
    clock.pass_time()
    assert run_mail() == ["queued 0"]
    services.confirm(BUSINESS, booking.id, revision=booking.revision, command=new_command(ACTOR))
    clock.pass_time()
    assert run_mail() == ["queued 2", "sent"]


def test_a_cancellation_that_was_undone_in_time_is_not_sent(table: str, clock: Clock) -> None:
    booking = book(at(15))
    clock.pass_time()
    run_mail()
    cancelled = cancel(booking)
    services.restore(BUSINESS, booking.id, revision=cancelled.revision, command=new_command(ACTOR))
    clock.pass_time()
    run_mail()
    assert len(sent()) == 1
    assert only(CANCELLATION).reason == CancelReason.NOT_CANCELLED
    assert only(REMINDER).state == MailState.QUEUED


def test_the_reminder_of_a_cancelled_booking_is_not_sent(table: str, clock: Clock) -> None:
    booking = book(at(15))
    clock.pass_time()
    run_mail()
    cancel(booking)
    clock.pass_time()
    assert run_mail() == ["queued 1", "sent"]
    assert sent()[1].subject.startswith("Se canceló tu reserva")
    assert only(REMINDER).reason == CancelReason.BOOKING_CANCELLED
    clock.set(at(15) - timedelta(hours=24))
    assert run_mail() == []


def test_the_check_before_sending_stops_a_reminder_whose_cancellation_is_not_processed_yet(
    table: str, clock: Clock
) -> None:
    booking = book(at(15))
    clock.pass_time()
    run_mail()
    clock.set(at(15) - timedelta(hours=24))
    with without_follow_ups():
        cancel(booking)
    assert run_mail() == ["not sent: booking_cancelled"]
    assert len(sent()) == 1


def test_the_reminder_of_a_moved_booking_moves(table: str, clock: Clock) -> None:
    booking = book(at(15))
    clock.pass_time()
    run_mail()
    moved = move(booking, at(15, day=1))
    clock.pass_time()
    assert run_mail() == ["queued 2", "sent"]
    assert sent()[1].subject.startswith("Nueva hora")
    clock.set(at(15) - timedelta(hours=24))
    assert run_mail() == []
    # Moved back: the reminder that was cancelled is queued again.
    move(moved, at(18, day=1))
    clock.pass_time()
    assert run_mail() == ["queued 2", "sent"]
    clock.set(at(18, day=1) - timedelta(hours=24))
    assert run_mail() == ["sent"]
    assert sent()[-1].subject.startswith("Recordatorio")


def test_a_customer_without_an_address_gets_nothing(table: str, clock: Clock) -> None:
    set_customer(email="juan@example.com\nBcc: all@example.com")
    book(at(15))
    clock.pass_time()
    run_mail()
    assert sent() == []
    assert only(CONFIRMATION).reason == CancelReason.NO_ADDRESS


def test_line_breaks_in_names_do_not_become_headers(table: str, clock: Clock) -> None:
    set_customer(name="Juan\r\nBcc: all@example.com\n\n<script>alert(1)</script>")
    business = load_business(BUSINESS)
    business.name = "Andina\r\nBcc: all@example.com"
    transaction = Transaction(new_command(ACTOR))
    transaction.save(business, revision=business.revision)
    transaction.commit(business)
    book(at(15))
    clock.pass_time()
    run_mail()
    (message,) = sent()
    raw = message.message().as_string()
    assert "\nBcc:" not in raw.partition("\n\n")[0] and "Andina Bcc: all@example.com" in message.subject
    html = str(message.alternatives[0][0])
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_a_failed_attempt_is_repeated_with_the_same_id(
    table: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    book(at(15))
    clock.pass_time()
    ids: list[str] = []

    def refuse(message: Any) -> None:
        ids.append(message.message()["Message-ID"])
        raise smtplib.SMTPServerDisconnected("juan@example.com")

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", refuse)
        results = run_mail()
        assert results[-1].startswith("failed DeliveryFailed: SMTPServerDisconnected (again at")
        clock.pass_time()
        run_mail()
    assert (only(CONFIRMATION).attempts, only(CONFIRMATION).error) == (2, "SMTPServerDisconnected")
    clock.pass_time(timedelta(hours=1))
    assert run_mail() == ["sent"]
    assert {*ids, sent()[0].message()["Message-ID"]} == {ids[0]}
    assert only(CONFIRMATION).error is None


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (smtplib.SMTPRecipientsRefused({"juan@example.com": (550, b"unknown")}), 1),
        (smtplib.SMTPDataError(554, b"spam"), 1),
        (smtplib.SMTPAuthenticationError(535, b"no"), delivery.MAX_ATTEMPTS),
        (TimeoutError(), delivery.MAX_ATTEMPTS),
    ],
)
def test_mail_fails_at_once_or_after_many_attempts(
    table: str, clock: Clock, monkeypatch: pytest.MonkeyPatch, error: Exception, attempts: int
) -> None:
    book(at(15))
    clock.pass_time()

    def refuse(message: Any) -> None:
        raise error

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    for _ in range(20):
        run_mail()
        clock.pass_time(timedelta(hours=1))
    mail = only(CONFIRMATION)
    assert (mail.state, mail.attempts) == (MailState.FAILED, attempts)
    assert "example.com" not in (mail.error or "")


def test_mail_of_an_action_that_waited_for_a_day_is_not_sent(table: str, clock: Clock) -> None:
    book(at(15))
    clock.pass_time(timedelta(hours=25))
    assert run_mail() == ["too late, nothing was queued"]


@real_engines
def test_two_runs_at_once_send_each_mail_once(table: str, clock: Clock) -> None:
    for hour in range(6):
        book(at(9 + hour))
    clock.pass_time()
    results: list[runner.TaskResult] = []

    def run_here(_: int) -> None:
        with frozen(clock.moment):
            results.extend(run_queues())

    run_at_once(run_here, threads=4)
    results.extend(run_queues())
    assert [each for each in results if each.failed] == []
    assert len(sent()) == 6
    assert len({message.message()["Message-ID"] for message in sent()}) == 6


@real_engines
def test_lost_replies_neither_lose_nor_repeat_mail(table: str, clock: Clock) -> None:
    book(at(15))
    clock.pass_time()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        run_mail()
        network.next("UpdateItem", lose_reply)
        run_mail()
        for _ in range(4):
            clock.pass_time(runner.LEASE)
            network.next("TransactWriteItems", lose_reply)
            run_mail()
    assert len(sent()) == 1
    assert states() == {CONFIRMATION: MailState.SENT, REMINDER: MailState.QUEUED}
    assert now() < at(15) - timedelta(hours=24)
    assert RESCHEDULE not in states()
