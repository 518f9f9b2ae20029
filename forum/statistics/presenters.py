"""Converts the statistics for their page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.web.charts import Columns, columns, share
from dashboard.web.templatetags.ui import day_format
from forum.actions import ACTIONS
from forum.log_presenters import action_label, name_of
from forum.statistics.queries import Statistics
from forum.statistics.tally import BOUNDS, DAY, HOUR, MINUTE, ModerationTally, within

OTHER = "other"


@dataclass(frozen=True)
class StatisticsRow:
    """A row of a table, with the length of its bar."""

    label: str
    numbers: list[int]
    total: int
    bar: str
    note: str = ""


@dataclass(frozen=True)
class Restored:
    label: str
    bans: int
    restored: int
    percent: str
    bar: str


@dataclass(frozen=True)
class StatisticsPage:
    total: int
    # The name and the label of each action.
    series: list[tuple[str, str]]
    chart: Columns
    summary: str
    first: str
    last: str
    days: list[StatisticsRow]
    people: list[StatisticsRow]
    waits: list[StatisticsRow]
    looked: int
    half: str
    most: str
    restored: list[Restored]


def present(statistics: Statistics) -> StatisticsPage:
    total = ModerationTally()
    for each in statistics.days.values():
        total.add(each)
    known = [action for action in ACTIONS if total.actions[action]]
    others = [OTHER] if set(total.actions) - set(ACTIONS) else []
    series = known + others
    days = [(_day(day), _in_series(each.actions)) for day, each in statistics.days.items()]
    titled = [(f"{label}: {_listed(counts, series)}", counts) for label, counts in days]
    return StatisticsPage(
        total=total.total,
        series=[(name, _("Other") if name == OTHER else action_label(name)) for name in series],
        chart=columns(titled, series),
        summary=_summary(days, total.total),
        first=days[0][0],
        last=days[-1][0],
        days=[_row(label, counts, series, 0) for label, counts in reversed(days)],
        people=_people(total, series),
        waits=_waits(total.waits),
        looked=sum(total.waits),
        half=_within(total.waits, 0.5),
        most=_within(total.waits, 0.9),
        restored=[
            _restored(_("All bans"), total.bans, total.restored),
            _restored(_("By people"), total.bans - total.filter_bans, total.restored - total.filter_restored),
            _restored(_("By the filter"), total.filter_bans, total.filter_restored),
        ],
    )


def _day(day: date) -> str:
    return date_format(day, day_format())


def _in_series(actions: Counter[str]) -> Counter[str]:
    """All actions of outside writers are one series."""
    found: Counter[str] = Counter()
    for name, number in actions.items():
        found[name if name in ACTIONS else OTHER] += number
    return found


def _listed(counts: Counter[str], series: list[str]) -> str:
    texts = [f"{_('Other') if name == OTHER else action_label(name)} {counts[name]}" for name in series]
    return ", ".join(texts) if counts.total() else "0"


def _summary(days: list[tuple[str, Counter[str]]], total: int) -> str:
    """The chart as a sentence, for screen readers."""
    label, counts = max(days, key=lambda each: each[1].total())
    return _("Actions per day from %(first)s to %(last)s: %(total)s in all, most on %(day)s (%(most)s).") % {
        "first": days[0][0],
        "last": days[-1][0],
        "total": total,
        "day": label,
        "most": counts.total(),
    }


def _row(label: str, counts: Counter[str], series: list[str], most: int, note: str = "") -> StatisticsRow:
    return StatisticsRow(label, [counts[name] for name in series], counts.total(), share(counts.total(), most), note)


def _people(total: ModerationTally, series: list[str]) -> list[StatisticsRow]:
    counted = {admin: _in_series(actions) for admin, actions in total.people.items()}
    most = max((counts.total() for counts in counted.values()), default=0)
    found = []
    for admin, counts in sorted(counted.items(), key=lambda each: (-each[1].total(), each[0])):
        name = name_of(admin, total.names.get(admin, ""))
        found.append(_row(name, counts, series, most, "" if name == admin else admin))
    return found


def _waits(waits: list[int]) -> list[StatisticsRow]:
    """Up to the longest that occurred."""
    last = max((number for number, count in enumerate(waits) if count), default=-1)
    labels = [_("up to %(time)s") % {"time": duration(bound)} for bound in BOUNDS]
    labels.append(_("longer than %(time)s") % {"time": duration(BOUNDS[-1])})
    return [StatisticsRow(labels[n], [], waits[n], share(waits[n], max(waits))) for n in range(last + 1)]


def _within(waits: list[int], part: float) -> str:
    bound = within(waits, part)
    if bound is not None:
        return _("within %(time)s") % {"time": duration(bound)}
    return _("longer than %(time)s") % {"time": duration(BOUNDS[-1])} if sum(waits) else "–"


def duration(seconds: int) -> str:
    if seconds < HOUR:
        return _("%(n)s min") % {"n": seconds // MINUTE}
    if seconds < DAY:
        return _("%(n)s h") % {"n": seconds // HOUR}
    return ngettext("%(n)s day", "%(n)s days", seconds // DAY) % {"n": seconds // DAY}


def _restored(label: str, bans: int, restored: int) -> Restored:
    """Bans from before the period may be restored in it: the share can be more than 100 %."""
    back = max(0, restored)
    percent = f"{round(100 * back / bans)} %" if bans > 0 else "–"
    return Restored(label, bans, back, percent, share(back, max(bans, back)))
