"""Annotations: what staff and moderators did, and which rooms opened, next to the numbers that it explains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from activity.event_rooms import EventRooms
from activity.queries.annotations import ExplainingEntries, explaining_entries
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.sentences import history_line
from forum.public import MAX_BANS, ban_reads, bans_url
from rooms.public import Permission as RoomPermission
from rooms.public import Room

# A chart with more lines cannot be read; a page with more texts neither.
MAX_SHOWN = 30
ROOM_TARGET = "room:"


@dataclass(frozen=True)
class Annotation:
    at: datetime
    text: str
    icon: str
    url: str = ""


@dataclass(frozen=True)
class Annotations:
    """In the order of time. `since` is set if earlier ones were not read, `more` counts those that are left out."""

    shown: list[Annotation]
    more: int = 0
    since: datetime | None = None

    def marks(self, start: datetime, end: datetime) -> list[float]:
        """Their positions in a chart of the period."""
        seconds = (end - start).total_seconds()
        return [(each.at - start).total_seconds() / seconds for each in self.shown]


def annotation_reads(start: datetime, end: datetime) -> list[Callable[[], Any]]:
    """Bounded reads, to run in parallel with those of the page."""
    return [partial(explaining_entries, start, end), *ban_reads(start, end)]


def build_annotations(
    results: Sequence[Any], event: EventRooms, start: datetime, end: datetime, person: Person
) -> Annotations:
    """From the results of `annotation_reads`, and the opening times of the rooms."""
    entries: ExplainingEntries = results[0]
    bans: list[list[datetime]] = list(results[1:])
    found = [*_from_entries(entries, event, person), *_from_bans(bans, person), *_openings(event, start, end, person)]
    shown = sorted(found, key=lambda each: each.at)
    cut = max((min(each) for each in bans if len(each) >= MAX_BANS), default=None)
    since = max((each for each in (entries.searched_since, cut) if each is not None), default=None)
    return Annotations(shown[-MAX_SHOWN:], max(0, len(shown) - MAX_SHOWN), since)


def _from_entries(entries: ExplainingEntries, event: EventRooms, person: Person) -> Iterator[Annotation]:
    for entry in entries.entries:
        line = history_line(entry)
        if line.when is None:
            continue
        target = str(entry.target_data.get("id") or "")
        room = target.removeprefix(ROOM_TARGET) if target.startswith(ROOM_TARGET) else ""
        icon = "door-open" if room else "bell" if (entry.action or "").startswith("forum.") else "settings"
        yield Annotation(line.when, f"{line.who} {line.what}", icon, _room_url(event, room, person))


def _from_bans(bans: Sequence[Sequence[datetime]], person: Person) -> Iterator[Annotation]:
    """The bans of each hour, at its first one."""
    by_hour: dict[datetime, list[datetime]] = defaultdict(list)
    for each in [moment for day in bans for moment in day]:
        by_hour[timezone.localtime(each).replace(minute=0, second=0, microsecond=0)].append(each)
    for hour, moments in by_hour.items():
        text = ngettext("%(count)s ban in this hour", "%(count)s bans in this hour", len(moments))
        yield Annotation(min(moments), text % {"count": len(moments)}, "ban", bans_url(person, hour.date()))


def _openings(event: EventRooms, start: datetime, end: datetime, person: Person) -> Iterator[Annotation]:
    """Scheduled openings and closings. Rooms that open together are one annotation."""
    for name, text, icon in (
        ("open_at", _("Opened by schedule: %(rooms)s"), "door-open"),
        ("close_at", _("Closed by schedule: %(rooms)s"), "door-closed"),
    ):
        rooms: dict[datetime, list[Room]] = defaultdict(list)
        for room in event.rooms:
            moment = getattr(room, name)
            if moment is not None and start <= moment < end:
                rooms[moment].append(room)
        for moment, together in rooms.items():
            url = _room_url(event, together[0].id, person) if len(together) == 1 else ""
            yield Annotation(moment, text % {"rooms": ", ".join(each.title for each in together)}, icon, url)


def _room_url(event: EventRooms, room: str, person: Person) -> str:
    return event.url(room) if room and person.may(RoomPermission.ROOMS) else ""
