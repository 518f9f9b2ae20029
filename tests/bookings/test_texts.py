"""The texts of refusals, statuses and audit entries."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bookings.audit_labels import PAYMENT_LABELS, STATUS_LABELS
from bookings.reasons import TEXTS, refusal_text
from bookings.services import bookings as services
from bookings.slots import Span, TakenTime, UnavailableReason, Verdict
from bookings.start_options import start_text
from bookings.states import Payment, Status
from dashboard.core.clock import now, shifted
from dashboard.platform.audit.diff import changes
from dashboard.platform.audit.sentences import history_line
from dashboard.platform.due import runner
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import BUSINESS, HOUR, at, book, entries_of, open_shop, reloaded
from tests.conftest import ACTOR

SANTIAGO = ZoneInfo("America/Santiago")


def utc(hour: int, minute: int = 0) -> datetime:
    return datetime.combine(dt.date(2026, 6, 1), dt.time(hour, minute), UTC)


@pytest.mark.parametrize(
    ("moment", "zone", "expected"),
    [
        (utc(14), "America/Santiago", "Mon 1 Jun 2026, 10:00"),
        (utc(14), "Asia/Tokyo", "Mon 1 Jun 2026, 23:00 JST"),
        # On this night 23:30 comes twice.
        (datetime(2026, 4, 5, 2, 30, tzinfo=UTC), "America/Santiago", "Sat 4 Apr 2026, 23:30 GMT-3"),
        (datetime(2026, 4, 5, 3, 30, tzinfo=UTC), "America/Santiago", "Sat 4 Apr 2026, 23:30 GMT-4"),
    ],
)
def test_a_start_names_its_time_zone_only_where_it_is_needed(moment: datetime, zone: str, expected: str) -> None:
    assert start_text(moment, ZoneInfo(zone), SANTIAGO) == expected


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        (Verdict(), ""),
        (Verdict(UnavailableReason.PAST, first_or_last_start=utc(12)), "This is in the past."),
        (Verdict(UnavailableReason.BREAK, window=Span(utc(15), utc(15, 15))), "a break from 11:00 to 11:15."),
        (Verdict(UnavailableReason.OUTSIDE_HOURS, window=Span(utc(13), utc(23))), "hours, 09:00 to 19:00."),
        (Verdict(UnavailableReason.OUTSIDE_HOURS, window=Span(utc(22), utc(23) + 5 * HOUR)), "hours, 18:00 to 24:00."),
        (Verdict(UnavailableReason.NOTICE, first_or_last_start=utc(14)), "10:00"),
        (Verdict(UnavailableReason.HORIZON, first_or_last_start=utc(14)), "10:00"),
        (Verdict(UnavailableReason.TAKEN, taken=TakenTime("b1", Span(utc(14), utc(15)))), "10:00 to 11:00."),
        (Verdict(UnavailableReason.DAY_OFF), "day off"),
        (Verdict(UnavailableReason.NO_HOURS), "does not work"),
    ],
)
def test_a_refusal_uses_the_providers_time_zone(verdict: Verdict, expected: str) -> None:
    text = refusal_text(verdict, SANTIAGO)
    assert text.endswith(expected) or expected in text
    assert "%(" not in text


def test_every_reason_status_and_payment_has_a_label() -> None:
    assert set(TEXTS) == set(UnavailableReason)
    assert set(STATUS_LABELS) == set(Status)
    assert set(PAYMENT_LABELS) == set(Payment)


def test_the_audit_trail_has_a_text_for_every_action(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    open_shop()
    booking = book(at(10), status=Status.PENDING, lapses_at=now() + HOUR)
    with shifted(2 * HOUR):
        assert not [each for each in runner.run() if each.failed]
        revision = reloaded(booking.id).revision

        def act(name: str, **given: object) -> None:
            nonlocal revision
            given |= {"revision": revision, "command": new_command(ACTOR)}
            revision = getattr(services, name)(BUSINESS, booking.id, **given).revision

        for name in ("confirm", "unconfirm", "confirm", "cancel", "restore"):
            act(name)
        act("pay", payment=Payment.PAID)
        act("reschedule", provider="maria", start=at(12))
    with shifted(at(12, 5) - now() + timedelta(minutes=1)):
        act("no_show")
    entries = entries_of(booking.id)
    texts = {history_line(entry).what for entry in entries}
    assert len(texts) == 9
    assert all("Juan Pérez" in each and not each.startswith("booking.") for each in texts)
    moved = next(entry for entry in entries if entry.action == "booking.reschedule")
    assert {each.label for each in changes(moved)} == {"starts at", "ends at"}
    paid = next(entry for entry in entries if entry.action == "booking.pay")
    assert [(each.label, each.before.text, each.after.text) for each in changes(paid)] == [
        ("payment", "Not paid", "Paid")
    ]
