"""Timestamps as the platform writes them: `2025-09-21T10:00:00Z`."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from pynamodb.attributes import Attribute
from pynamodb.constants import NUMBER, STRING

from dashboard.table.attributes import LenientReading

# A smaller number is no epoch: as seconds it would be before 1973.
_FIRST_SECONDS = 10**8
# From here on a number counts milliseconds: as seconds it would be in the year 5138.
_FIRST_MILLISECONDS = 10**11


def to_wire(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_wire(text: str) -> datetime:
    """Outside writers may omit the time zone, add microseconds, or write only a date: all mean UTC."""
    moment = datetime.fromisoformat(text)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        # The last day of the calendar in a zone behind UTC does not exist in UTC.
        raise ValueError(f"not a time in UTC: {text[:40]}") from error


def _epoch_to_wire(number: str) -> str | None:
    """The timestamp of a number of seconds or milliseconds since 1970."""
    with suppress(ValueError, OverflowError, OSError):
        epoch = float(number)
        if epoch >= _FIRST_SECONDS:
            return to_wire(datetime.fromtimestamp(epoch / 1000 if epoch >= _FIRST_MILLISECONDS else epoch, UTC))
    return None


class TimestampAttribute(LenientReading, Attribute[datetime]):
    """A point in time. A text that is none reads as None and is kept in the table. A number is read as an epoch."""

    attr_type = STRING
    conversions = {NUMBER: _epoch_to_wire}

    def serialize(self, value: datetime) -> str:
        return to_wire(value)

    def deserialize(self, value: str) -> datetime | None:
        try:
            moment = from_wire(value)
        except (ValueError, OverflowError):
            return None
        # The first and the last year cannot be converted to every time zone.
        return moment if 1 < moment.year < 9999 else None
