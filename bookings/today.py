"""Who works today and until when, in their own zones."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from bookings.hours import WEEKDAYS, Span, hours_of, working_spans
from bookings.items import Availability
from bookings.reasons import clock_times

# The largest differences between a zone and UTC.
_MOST_BEHIND_UTC, _MOST_AHEAD_OF_UTC = timedelta(hours=12), timedelta(hours=14)


def weekdays_now(moment: datetime) -> list[str]:
    """The weekdays that exist somewhere at this moment: two or three."""
    first, last = (moment - _MOST_BEHIND_UTC).date(), (moment + _MOST_AHEAD_OF_UTC).date()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return [WEEKDAYS[day.weekday()] for day in days]


@dataclass(frozen=True)
class Today:
    """A provider's working time today."""

    # Whether they work at this moment.
    is_working: bool
    text: str


def today_of(availabilities: Sequence[Availability], zone: ZoneInfo, moment: datetime) -> Today:
    day: dt.date = moment.astimezone(zone).date()
    spans = working_spans(hours_of(zone, availabilities), day)
    current = next((span for span in spans if span.contains(moment)), None)
    if current is not None:
        # The end of the day, not of the current period: a break in between does not matter.
        return Today(True, _("until %(end)s") % clock_times(spans[-1], zone))
    coming = [span for span in spans if span.start > moment]
    if coming:
        return Today(False, _("%(start)s to %(end)s") % clock_times(Span(coming[0].start, coming[-1].end), zone))
    return Today(False, _("done for today") if spans else _("not today"))
