"""The parts of the statistics, and the entries of the moderation log that each of them counts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.table import read
from forum.actions import Action
from forum.items import ModerationEntry
from forum.queries import log as queries
from forum.queries.days import LogPage
from forum.queries.log import LogFilter
from forum.statistics.tally import BOUNDS, DAY, HOUR, MINUTE, ModerationTally, tally, time_to_decision

# So many entries are examined for a page of one part. Without an action, 7 days with as many entries are read.
EXAMINED_AT_ONCE = 140
BANS, PEOPLE_BANS, FILTER_BANS = "bans", "bans-people", "bans-filter"
RESTORED, PEOPLE_RESTORED, FILTER_RESTORED = "restored", "restored-people", "restored-filter"


@dataclass(frozen=True)
class CountedPart:
    """A number of the statistics. All its entries have this action; without one, any action."""

    action: str
    counts: Callable[[ModerationEntry], bool]


def _tallied(action: Action, number: Callable[[ModerationTally], int]) -> CountedPart:
    return CountedPart(action.value, lambda entry: number(tally([entry])) > 0)


def _waited(number: int) -> CountedPart:
    def counts(entry: ModerationEntry) -> bool:
        seconds = time_to_decision(entry)
        return seconds is not None and bisect_left(BOUNDS, seconds) == number

    return CountedPart("", counts)


def wait_name(number: int) -> str:
    return f"wait-{number}"


PARTS = {
    BANS: _tallied(Action.BAN, lambda counted: counted.bans),
    PEOPLE_BANS: _tallied(Action.BAN, lambda counted: counted.bans - counted.filter_bans),
    FILTER_BANS: _tallied(Action.BAN, lambda counted: counted.filter_bans),
    RESTORED: _tallied(Action.RESTORE, lambda counted: counted.restored),
    PEOPLE_RESTORED: _tallied(Action.RESTORE, lambda counted: counted.restored - counted.filter_restored),
    FILTER_RESTORED: _tallied(Action.RESTORE, lambda counted: counted.filter_restored),
    **{wait_name(number): _waited(number) for number in range(len(BOUNDS) + 1)},
}


def part_labels() -> list[tuple[str, str]]:
    """The name and the label of each part, for the filters of the log."""
    return [
        ("", _("Everything")),
        (BANS, _("Bans")),
        (PEOPLE_BANS, _("Bans by people")),
        (FILTER_BANS, _("Bans by the filter")),
        (RESTORED, _("Restored")),
        (PEOPLE_RESTORED, _("Restored, banned by people")),
        (FILTER_RESTORED, _("Restored, banned by the filter")),
        *(
            (wait_name(number), _("First decision: %(time)s") % {"time": wait_label(number)})
            for number in range(len(BOUNDS) + 1)
        ),
    ]


def wait_label(number: int) -> str:
    if number < len(BOUNDS):
        return _("up to %(time)s") % {"time": duration(BOUNDS[number])}
    return _("longer than %(time)s") % {"time": duration(BOUNDS[-1])}


def duration(seconds: int) -> str:
    if seconds < HOUR:
        return _("%(n)s min") % {"n": seconds // MINUTE}
    if seconds < DAY:
        return _("%(n)s h") % {"n": seconds // HOUR}
    return ngettext("%(n)s day", "%(n)s days", seconds // DAY) % {"n": seconds // DAY}


def log_entries(filters: LogFilter, start_key: Any = None, **options: Any) -> read.Page[ModerationEntry]:
    """The entries of the log that match. For a part of the statistics, a limited number is examined for each page."""
    part = PARTS.get(filters.counted)
    if part is None:
        return queries.log(filters, start_key, **options)
    source = replace(filters, action=filters.action or part.action)
    found = queries.log(source, start_key, **{"limit": EXAMINED_AT_ONCE} | options)
    kept = [entry for entry in found.items if part.counts(entry)]
    if found.next_start_key is None:
        return LogPage(kept)
    reached = found.reached if isinstance(found, LogPage) else None
    return LogPage(kept, found.next_start_key, reached or (found.items[-1].moment if found.items else None))
