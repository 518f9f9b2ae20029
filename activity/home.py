"""The activity on the home page of event staff: whether it has stopped while rooms are open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from activity.permissions import Permission
from activity.presenters.now import QUIET_MINUTES
from activity.queries.now import NowCounts, now_counts
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    Urgency,
    register_home,
)
from rooms.public import ROOMS_READ, Room, all_rooms

COUNTS = "activity.now"


def reads(request: Request) -> Reads:
    # The rooms are also read by the lines of the rooms: with the same name they are read once.
    return {COUNTS: now_counts, ROOMS_READ: all_rooms}


def lines(request: Request, results: Results) -> Iterator[HomeLine]:
    """Only while a room is open: at night nobody expects activity. Without any event within the hour nothing is said,
    because then the apps of the event do not log events at all."""
    counts: NowCounts = results[COUNTS]
    last = last_event(counts)
    if last is None or not _is_any_open(results[ROOMS_READ]):
        return
    if now() - last >= timedelta(minutes=QUIET_MINUTES):
        yield HomeLine(Urgency.WAITING, "activity", _("Activity has stopped"), reverse("activity"), since=last)


def last_event(counts: NowCounts) -> datetime | None:
    """The minute of the last event of the hour."""
    return next((each.at for each in reversed(counts.minutes) if each.events), None)


def _is_any_open(rooms: list[Room]) -> bool:
    return any(room.plan.state_at(now()).is_open for room in rooms)


register_home(
    HomePlace.PLATFORM,
    HomeSource(
        name="activity.now",
        permission=Permission.ACTIVITY,
        checked=gettext_lazy("activity of the event"),
        reads=reads,
        build_lines=lines,
    ),
)
