"""The ledger: taken times of a provider's day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from bookings.hours import Span
from bookings.items.bookings import Booking
from bookings.slots import TakenTime
from bookings.states import Status
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import to_wire


class ProviderDay(Item):
    """The ledger of one provider and one UTC date. It prevents overlaps."""

    key_pattern = keys.PROVIDER_DAY

    # Booking id → start and end with buffers, status, deadline, and the start in the booking's key.
    busy = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PROVIDER_DAYS.optional_key(**self.key_parts)

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def date(self) -> dt.date | None:
        try:
            return dt.date.fromisoformat(str(self.key_parts.get("date", "")))
        except ValueError:
            return None

    @property
    def taken(self) -> list[TakenTime]:
        """The taken times; invalid entries are skipped."""
        found = (_taken(name, entry) for name, entry in StoredMap.of(self.busy).maps())
        return [each for each in found if each is not None]

    def start_of(self, booking_id: str) -> str:
        """The start in the key of a booking in this ledger."""
        return StoredMap.of(self.busy).map(booking_id).text("startTime")

    def put(self, booking: Booking) -> None:
        taken = booking.taken
        if taken is None:
            return
        span = taken.span_with_buffers
        entry = {"start": to_wire(span.start), "end": to_wire(span.end), "status": str(taken.status)}
        entry["startTime"] = booking.start_key
        if taken.lapses_at is not None:
            entry["lapsesAt"] = to_wire(taken.lapses_at)
        self.busy = (self.busy or {}) | {booking.id: entry}

    def drop(self, booking_id: str) -> None:
        self.busy = {name: entry for name, entry in (self.busy or {}).items() if name != booking_id}


def _taken(booking_id: str, entry: StoredMap) -> TakenTime | None:
    start, end, lapses = (entry.moment(name) for name in ("start", "end", "lapsesAt"))
    if start is None or end is None:
        return None
    return TakenTime(booking_id, Span(start, end), entry.text("status") or Status.CONFIRMED, lapses)
