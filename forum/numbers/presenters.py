"""The numbers as their page shows them."""

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
from forum.numbers.queries import Numbers
from forum.numbers.tally import BOUNDS, DAY, HOUR, MINUTE, Tally, within

OTHER = "other"


@dataclass(frozen=True)
class StatisticsRow:
    """A line of a table: what it is about, its numbers, and the length of its bar."""

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
class Shown:
    total: int
    # Whose words stand above the numbers of a row: the action and its colour.
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


def shown(numbers: Numbers) -> Shown:
    whole = Tally()
    for each in numbers.days.values():
        whole.add(each)
    known = [action for action in ACTIONS if whole.actions[action]]
    others = [OTHER] if set(whole.actions) - set(ACTIONS) else []
    series = known + others
    days = [(_day(day), _in_series(each.actions)) for day, each in numbers.days.items()]
    titled = [(f"{label}: {_listed(counts, series)}", counts) for label, counts in days]
    return Shown(
        total=whole.total,
        series=[(name, _("Other") if name == OTHER else action_label(name)) for name in series],
        chart=columns(titled, series),
        summary=_summary(days, whole.total),
        first=days[0][0],
        last=days[-1][0],
        days=[_row(label, counts, series, 0) for label, counts in reversed(days)],
        people=_people(whole, series),
        waits=_waits(whole.waits),
        looked=sum(whole.waits),
        half=_within(whole.waits, 0.5),
        most=_within(whole.waits, 0.9),
        restored=[
            _restored(_("All bans"), whole.bans, whole.restored),
            _restored(_("By people"), whole.bans - whole.filter_bans, whole.restored - whole.filter_restored),
            _restored(_("By the filter"), whole.filter_bans, whole.filter_restored),
        ],
    )


def _day(day: date) -> str:
    return date_format(day, day_format())


def _in_series(actions: Counter[str]) -> Counter[str]:
    """What has no words of ours is one series."""
    found: Counter[str] = Counter()
    for name, number in actions.items():
        found[name if name in ACTIONS else OTHER] += number
    return found


def _listed(counts: Counter[str], series: list[str]) -> str:
    said = [f"{_('Other') if name == OTHER else action_label(name)} {counts[name]}" for name in series]
    return ", ".join(said) if counts.total() else "0"


def _summary(days: list[tuple[str, Counter[str]]], total: int) -> str:
    """The chart in a sentence, for those who do not see it."""
    label, counts = max(days, key=lambda each: each[1].total())
    return _("Actions a day from %(first)s to %(last)s: %(total)s in all, most on %(day)s (%(most)s).") % {
        "first": days[0][0],
        "last": days[-1][0],
        "total": total,
        "day": label,
        "most": counts.total(),
    }


def _row(label: str, counts: Counter[str], series: list[str], most: int, note: str = "") -> StatisticsRow:
    return StatisticsRow(label, [counts[name] for name in series], counts.total(), share(counts.total(), most), note)


def _people(whole: Tally, series: list[str]) -> list[StatisticsRow]:
    counted = {admin: _in_series(actions) for admin, actions in whole.people.items()}
    most = max((counts.total() for counts in counted.values()), default=0)
    found = []
    for admin, counts in sorted(counted.items(), key=lambda each: (-each[1].total(), each[0])):
        name = name_of(admin, whole.names.get(admin, ""))
        found.append(_row(name, counts, series, most, "" if name == admin else admin))
    return found


def _waits(waits: list[int]) -> list[StatisticsRow]:
    """From the shortest to the longest that there was."""
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
    """Of bans before these days some may come back within them: then it is more than all."""
    back = max(0, restored)
    percent = f"{round(100 * back / bans)} %" if bans > 0 else "–"
    return Restored(label, bans, back, percent, share(back, max(bans, back)))
