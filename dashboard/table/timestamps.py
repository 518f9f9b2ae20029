"""Timestamps as the platform writes them: `2025-09-21T10:00:00Z`."""

from __future__ import annotations

from datetime import UTC, datetime

from pynamodb.attributes import Attribute
from pynamodb.constants import STRING


def to_wire(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def from_wire(text: str) -> datetime:
    """Other services leave the zone out, add microseconds, or give only a date: all mean UTC."""
    moment = datetime.fromisoformat(text)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:
        # The last day of all by a clock behind UTC: no moment, as other texts that are none.
        raise ValueError(f"no moment of UTC: {text[:40]}") from error


class TimestampAttribute(Attribute[datetime]):
    """A moment; text that is no moment reads as none, and stays as it is in the table."""

    attr_type = STRING

    def serialize(self, value: datetime) -> str:
        return to_wire(value)

    def deserialize(self, value: str) -> datetime | None:
        try:
            moment = from_wire(value)
        except (ValueError, OverflowError):
            return None
        # The first and the last year cannot be turned into every zone.
        return moment if 1 < moment.year < 9999 else None
