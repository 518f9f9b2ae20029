"""The ledger in a write: the provider's days that a booking touches."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bookings.errors import SlotTaken, StartNotBookable
from bookings.hours import DAY, Hours
from bookings.items import Booking, ProviderDay
from bookings.queries import booking_state
from bookings.queries import bookings as queries
from bookings.slots import (
    ALTERNATIVE_DAYS,
    Rules,
    SlotLength,
    Span,
    TakenTime,
    UnavailableReason,
    Verdict,
    check_start,
    first_overlap,
    next_free,
)
from bookings.states import Status, status_takes_time
from dashboard.core.errors import DomainError, StaleRevision
from dashboard.table import keys
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction


class Ledger:
    """The days of providers that one write reads and changes."""

    def __init__(self, business: str, days: dict[tuple[str, dt.date], ProviderDay]) -> None:
        self.business = business
        self._days = dict(days)
        self._open: dict[tuple[str, dt.date], ProviderDay] = {}
        self._new: set[tuple[str, dt.date]] = set()
        # Bookings with the id of another one, which an outside writer may put at another start. They take time too.
        self._duplicates: list[Booking] = []

    def open(self, provider: str, span: Span) -> None:
        """Add the days of a span to the write. A day without a ledger starts with the bookings that exist."""
        for day in days_of(span):
            key = provider, day
            if key not in self._days:
                self._days[key] = self._start_day(provider, day)
                self._new.add(key)
            self._open[key] = self._days[key]

    def _start_day(self, provider: str, day: dt.date) -> ProviderDay:
        """A new ledger with the bookings of outside writers. They are read after the day was found missing: if someone
        writes in between, they create the day and this write is refused."""
        made = ProviderDay.new(tenant=self.business, provider=provider, date=day.isoformat())
        made.busy = {}
        start = datetime.combine(day, dt.time(), UTC)
        for booking in self._without_duplicates(provider, Span(start, start + DAY)):
            made.put(booking)
        return made

    def _without_duplicates(self, provider: str, span: Span) -> list[Booking]:
        """The bookings that take this time, one for each id: an entry of the ledger has only an id."""
        found: dict[str, Booking] = {}
        for booking in queries.bookings_taking_time(self.business, provider, span.start, span.end):
            if found.setdefault(booking.id, booking) is not booking:
                self._duplicates.append(booking)
        return list(found.values())

    def _merge_outside(self, provider: str, span: Span) -> None:
        """Add bookings that outside writers have made since the ledger began. They are read after the days: if a
        booking moves in between, this write is refused."""
        if all((provider, day) in self._new for day in days_of(span)):
            return
        for booking in self._without_duplicates(provider, span):
            self._correct_entry(booking)

    def _correct_entry(self, booking: Booking) -> None:
        """Make the ledger's entry equal to the booking, also after an outside writer has moved it."""
        self.drop(booking.provider, booking.id)
        days = days_of(booking.taken.span_with_buffers) if booking.taken is not None else []
        for (who, date), day in self._open.items():
            if who == booking.provider and date in days:
                day.put(booking)

    def taken(self, provider: str, *, without: str = "") -> list[TakenTime]:
        """The taken times on the open days, each booking once."""
        found = {each.booking_id: each for day in self._of(provider) for each in day.taken}
        duplicates = [each.taken for each in self._duplicates if each.provider == provider and each.taken is not None]
        return [each for each in [*found.values(), *duplicates] if each.booking_id != without]

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
                transaction.create(day, on_failure=StaleRevision)
            else:
                transaction.save(day, revision=day.revision, on_failure=StaleRevision)

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
        """Raise an error if the start is not free. Without hours, only other bookings are checked.

        With `over_pending`, other pending bookings do not count: the first to be confirmed gets the time.
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
            found = first_overlap(span, taken, rules.checked_at)
            return Verdict(UnavailableReason.TAKEN, taken=found) if found is not None else Verdict()

        verdict, booking = check(), None
        while verdict.taken is not None:
            duplicate = next((each for each in self._duplicates if each.taken == verdict.taken), None)
            booking, known = (duplicate, True) if duplicate else self._lookup(provider, verdict.taken.booking_id)
            if not known or (booking is not None and _takes_time(booking, span, rules.checked_at)):
                break
            # An outside writer has cancelled, shortened or deleted it: correct the ledger.
            self.drop(provider, verdict.taken.booking_id)
            if booking is not None and status_takes_time(booking.status):
                self._correct_entry(booking)
            verdict = check()
        if not verdict.is_free:
            raise self._refusal(provider, verdict, booking, hours, (slot_length, start, rules, without))

    def _lookup(self, provider: str, booking_id: str) -> tuple[Booking | None, bool]:
        """The booking of an entry, and whether it could be looked up. An unknown entry keeps its time."""
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
        """The error for a start that is not free, with the next free starts."""
        if hours is None:
            with suppress(DomainError):
                hours = booking_state.provider_and_hours(self.business, provider)[1]
        known = hours or Hours(ZoneInfo("UTC"))

        def find_alternatives() -> list[datetime]:
            return self._find_alternatives(provider, known, *request)

        if verdict.taken is not None:
            return SlotTaken(booking, verdict.taken, known.zone, find_alternatives)
        return StartNotBookable(verdict, known.zone, find_alternatives)

    def _find_alternatives(
        self, provider: str, hours: Hours, slot_length: SlotLength, start: datetime, rules: Rules, without: str
    ) -> list[datetime]:
        since = max(start, rules.earliest)
        taken = booking_state.taken_between(self.business, provider, since, since + (ALTERNATIVE_DAYS + 1) * DAY)
        others = [each for each in taken if each.booking_id != without]
        return next_free(hours, since, slot_length, others, rules)


def _takes_time(booking: Booking, span: Span, now: datetime) -> bool:
    """Whether a booking takes part of this time. One with an unreadable time counts as if it does."""
    taken = booking.taken
    return taken is None or (taken.takes_time(now) and taken.span_with_buffers.overlaps(span))


def days_of(span: Span) -> list[dt.date]:
    """The UTC dates that a span touches."""
    first, last = span.start.date(), (span.end - timedelta(seconds=1)).date()
    return [first + count * DAY for count in range((last - first).days + 1)]
