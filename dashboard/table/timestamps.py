"""Timestamps as the platform writes them: `2025-09-21T10:00:00Z`."""

from __future__ import annotations

from datetime import UTC, datetime

from pynamodb.attributes import Attribute
from pynamodb.constants import STRING


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


class TimestampAttribute(Attribute[datetime]):
    """A point in time. A text that is none reads as None and is kept in the table."""

    attr_type = STRING

    def serialize(self, value: datetime) -> str:
        return to_wire(value)

    def deserialize(self, value: str) -> datetime | None:
        try:
            moment = from_wire(value)
        except (ValueError, OverflowError):
            return None
        # The first and the last year cannot be converted to every time zone.
        return moment if 1 < moment.year < 9999 else None
