"""A booking as an ICS file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, datetime

from bookings.items import Booking
from dashboard.core.clock import now

# A longer line is folded; the limit counts bytes.
MAX_LINE = 75


def calendar_file(booking: Booking, service: str, business: str) -> str:
    """Empty for a booking without a readable start. The UID stays when the booking is moved."""
    span = booking.span
    if span is None:
        return ""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Trastienda//Bookings//EN",
        "BEGIN:VEVENT",
        f"UID:{_text(booking.id)}@trastienda",
        f"SEQUENCE:{booking.revision}",
        f"DTSTAMP:{_utc(now())}",
        f"DTSTART:{_utc(span.start)}",
        f"DTEND:{_utc(span.end)}",
        f"SUMMARY:{_text(f'{service} · {business}' if service else business)}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return " ".join(escaped.split())


def _folded(line: str) -> str:
    parts, part = [], ""
    for char in line:
        if len((part + char).encode()) > MAX_LINE:
            parts.append(part)
            part = " "
        part += char
    return "\r\n".join([*parts, part])
