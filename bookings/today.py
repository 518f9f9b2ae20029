"""Who works today, and until when, by their own clocks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from bookings.hours import WEEKDAYS, Span, hours_of, windows
from bookings.items import Availability
from bookings.reasons import clock_times

# The earliest and the latest clock of the world.
_BEHIND, _AHEAD = timedelta(hours=12), timedelta(hours=14)


def weekdays_now(moment: datetime) -> list[str]:
    """The days of the week that it is somewhere: two, or three for a moment."""
    first, last = (moment - _BEHIND).date(), (moment + _AHEAD).date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return [WEEKDAYS[day.weekday()] for day in days]


@dataclass(frozen=True)
class Today:
    """Someone's day, as far as it matters now."""

    # At work at this moment.
    is_working: bool
    text: str


def today_of(availabilities: Sequence[Availability], zone: ZoneInfo, moment: datetime) -> Today:
    day: dt.date = moment.astimezone(zone).date()
    spans = windows(hours_of(zone, availabilities), day)
    current = next((span for span in spans if span.holds(moment)), None)
    if current is not None:
        # Over a break they still are at work; what counts is when they leave.
        return Today(True, _("until %(end)s") % clock_times(spans[-1], zone))
    coming = [span for span in spans if span.start > moment]
    if coming:
        return Today(False, _("%(start)s to %(end)s") % clock_times(Span(coming[0].start, coming[-1].end), zone))
    return Today(False, _("done for today") if spans else _("not today"))
