"""Texts that explain why a start is not free."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from bookings.slots import Span, UnavailableReason, Verdict
from dashboard.web.local_times import moment_text

TEXTS = {
    UnavailableReason.PAST: _("This is in the past."),
    UnavailableReason.NOTICE: _("This is too soon. The earliest start is %(limit)s."),
    UnavailableReason.HORIZON: _("This is too far ahead. The latest start is %(limit)s."),
    UnavailableReason.DAY_OFF: _("The staff member has that day off."),
    UnavailableReason.NO_HOURS: _("The staff member does not work on that day."),
    UnavailableReason.OUTSIDE_HOURS: _("This is outside the staff member's hours, %(start)s to %(end)s."),
    UnavailableReason.BREAK: _("The staff member has a break from %(start)s to %(end)s."),
    UnavailableReason.TAKEN: _("Another booking takes this time, buffers included: %(start)s to %(end)s."),
}


def refusal_text(verdict: Verdict, zone: ZoneInfo) -> str:
    """Why a start is not free; empty if it is free."""
    if verdict.reason is None:
        return ""
    span = verdict.taken.span_with_buffers if verdict.taken is not None else verdict.window
    limit = verdict.first_or_last_start
    given = {"limit": moment_text(limit, zone.key) if limit is not None else ""}
    return str(TEXTS[verdict.reason]) % (given | clock_times(span, zone))


def clock_times(span: Span | None, zone: ZoneInfo) -> dict[str, str]:
    """The clock times of a span. An end at midnight is 24:00."""
    if span is None:
        return {"start": "", "end": ""}
    end = clock_time(span.end, zone)
    return {"start": clock_time(span.start, zone), "end": "24:00" if end == "00:00" else end}


def clock_time(moment: datetime, zone: ZoneInfo) -> str:
    return date_format(moment.astimezone(zone), "H:i")
