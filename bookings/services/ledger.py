"""The ledger in a write: the days that a booking touches, moved from the revision that was read to the next."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bookings.errors import SlotTaken, StartNotBookable
from bookings.hours import DAY, Hours
from bookings.items import Booking, ProviderDay
from bookings.queries import bookings as queries
from bookings.queries import snapshot
from bookings.slots import (
    ALTERNATIVE_DAYS,
    Reason,
    Rules,
    SlotLength,
    Span,
    Taken,
    Verdict,
    check_start,
    first_overlap,
    next_free,
)
from bookings.states import Status
from dashboard.core.errors import DomainError, StaleRevision
from dashboard.table import keys
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction


class Ledger:
    """The days of providers that one write is about."""

    def __init__(self, business: str, days: dict[tuple[str, dt.date], ProviderDay]) -> None:
        self.business = business
        self._days = dict(days)
        self._open: dict[tuple[str, dt.date], ProviderDay] = {}
        self._new: set[tuple[str, dt.date]] = set()

    def open(self, provider: str, span: Span) -> None:
        """Take the days of a span into the write. One that is not there yet begins with what is booked already."""
        for day in days_of(span):
            key = provider, day
            if key not in self._days:
                self._days[key] = self._start_day(provider, day)
                self._new.add(key)
            self._open[key] = self._days[key]

    def _start_day(self, provider: str, day: dt.date) -> ProviderDay:
        """With the bookings that other services have made. Read after the day was found absent: whoever writes
        here meanwhile makes the day, and then ours is refused."""
        made = ProviderDay.at(tenant=self.business, provider=provider, date=day.isoformat())
        made.busy = {}
        start = datetime.combine(day, dt.time(), UTC)
        for booking in queries.bookings_taking_time(self.business, provider, start, start + DAY):
            made.put(booking)
        return made

    def _merge_outside(self, provider: str, span: Span) -> None:
        """Count what other services have booked here since the days began: they know nothing of a ledger. Read after
        the days: what was moved here meanwhile is not written back to where it was, it is refused."""
        if all((provider, day) in self._new for day in days_of(span)):
            return
        for booking in queries.bookings_taking_time(self.business, provider, span.start, span.end):
            self._correct_entry(booking)

    def _correct_entry(self, booking: Booking) -> None:
        """Say of a booking what it says itself: where it was before another service moved it, it is not any more."""
        self.drop(booking.provider, booking.id)
        days = days_of(booking.taken.span_with_buffers) if booking.taken is not None else []
        for (who, date), day in self._open.items():
            if who == booking.provider and date in days:
                day.put(booking)

    def taken(self, provider: str, *, without: str = "") -> list[Taken]:
        """What takes time on the days that are open; one that lies in two of them is told once."""
        found = {each.booking_id: each for day in self._of(provider) for each in day.taken}
        return [each for name, each in found.items() if name != without]

    def put(self, booking: Booking) -> None:
        if booking.taken is None:
            return
        self.open(booking.provider, booking.taken.span_with_buffers)
        for day in days_of(booking.taken.span_with_buffers):
            self._open[booking.provider, day].put(booking)

    def drop(self, provider: str, booking_id: str) -> None:
        for day in self._of(provider):
            day.drop(booking_id)

    def _of(self, provider: str) -> list[ProviderDay]:
        return [day for (who, _date), day in self._open.items() if who == provider]

    def write(self, transaction: Transaction) -> None:
        for key, day in self._open.items():
            if key in self._new:
                transaction.create(day, otherwise=StaleRevision)
            else:
                transaction.save(day, revision=day.revision, otherwise=StaleRevision)

    # --- The rule ---------------------------------------------------------------------------------
    def ensure_free(
        self,
        provider: str,
        slot_length: SlotLength,
        start: datetime,
        rules: Rules,
        hours: Hours | None,
        *,
        without: str = "",
        over_pending: bool = False,
    ) -> None:
        """Refuse what is not free. Without hours only other bookings count: for one that was agreed on before.

        `over_pending` where one that waits just as well is not in the way: of the two, one becomes certain.
        """
        span = slot_length.with_buffers(start)
        self.open(provider, span)
        self._merge_outside(provider, span)

        def check() -> Verdict:
            taken = self.taken(provider, without=without)
            if over_pending:
                taken = [each for each in taken if each.status != Status.PENDING]
            if hours is not None:
                return check_start(hours, start, slot_length, taken, rules)
            found = first_overlap(span, taken, rules.now)
            return Verdict(Reason.TAKEN, taken=found) if found is not None else Verdict()

        verdict, booking = check(), None
        while verdict.taken is not None:
            booking, known = self._lookup(provider, verdict.taken.booking_id)
            if not known or (booking is not None and _still_takes(booking, span, rules.now)):
                break
            # Another service has cancelled it, made it shorter or taken it away: the ledger is told now.
            self.drop(provider, verdict.taken.booking_id)
            if booking is not None and booking.status != Status.CANCELLED:
                self._correct_entry(booking)
            verdict = check()
        if not verdict.is_free:
            raise self._refusal(provider, verdict, booking, hours, (slot_length, start, rules, without))

    def _lookup(self, provider: str, booking_id: str) -> tuple[Booking | None, bool]:
        """The booking of an entry as it is, and whether that can be said: what cannot be looked up keeps its time."""
        start = next((found for day in self._of(provider) if (found := day.start_of(booking_id))), "")
        try:
            key = keys.BOOKING.key(tenant=self.business, provider=provider, start=start, booking=booking_id)
        except BadKey:
            return None, False
        return queries.find_booking_at(self.business, key), True

    def _refusal(
        self,
        provider: str,
        verdict: Verdict,
        booking: Booking | None,
        hours: Hours | None,
        request: tuple[SlotLength, datetime, Rules, str],
    ) -> SlotTaken | StartNotBookable:
        """With what could be had instead, for whoever asks for it."""
        if hours is None:
            with suppress(DomainError):
                hours = snapshot.provider_and_hours(self.business, provider)[1]
        known = hours or Hours(ZoneInfo("UTC"))

        def find_alternatives() -> list[datetime]:
            return self._find_alternatives(provider, known, *request)

        if verdict.taken is not None:
            return SlotTaken(booking, verdict.taken, known.zone, find_alternatives)
        return StartNotBookable(verdict, known.zone, find_alternatives)

    def _find_alternatives(
        self, provider: str, hours: Hours, slot_length: SlotLength, start: datetime, rules: Rules, without: str
    ) -> list[datetime]:
        since = max(start, rules.now + rules.notice)
        taken = snapshot.taken_between(self.business, provider, since, since + (ALTERNATIVE_DAYS + 1) * DAY)
        others = [each for each in taken if each.booking_id != without]
        return next_free(hours, since, slot_length, others, rules)


def _still_takes(booking: Booking, span: Span, now: datetime) -> bool:
    """Whether a booking has some of this time; one whose time cannot be read may have."""
    taken = booking.taken
    return taken is None or (taken.takes_time(now) and taken.span_with_buffers.meets(span))


def days_of(span: Span) -> list[dt.date]:
    """The dates in UTC that a span touches."""
    first, last = span.start.date(), (span.end - timedelta(seconds=1)).date()
    return [first + count * DAY for count in range((last - first).days + 1)]
