"""Converts the statistics for their page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from dashboard.web.charts import ChartRow, Columns, columns, share
from dashboard.web.templatetags.ui import day_format
from forum.actions import ACTIONS, chart_color
from forum.forms.log import UTC_DAYS
from forum.log_presenters import action_label, name_of
from forum.statistics import counted_entries
from forum.statistics.counted_entries import duration, wait_label, wait_name
from forum.statistics.queries import Statistics
from forum.statistics.tally import BOUNDS, ModerationTally, within

OTHER = "other"


@dataclass(frozen=True)
class StatisticsRow:
    """A row of a table, with the length of its bar."""

    label: str
    numbers: list[int]
    total: int
    bar: str
    note: str = ""
    # The log entries of the row, and of each of its numbers.
    url: str = ""
    urls: tuple[str, ...] = ()

    @property
    def cells(self) -> list[tuple[int, str]]:
        """Each number with the address of its entries."""
        return list(zip(self.numbers, self.urls, strict=True))


@dataclass(frozen=True)
class Restored:
    label: str
    bans: int
    restored: int
    percent: str
    bar: str
    restored_url: str = ""
    bans_url: str = ""


@dataclass(frozen=True)
class StatisticsPage:
    total: int
    # The name and the label of each action.
    series: list[tuple[str, str]]
    # Each column links to its entries.
    chart: Columns
    # The colour and the label of each action.
    legend: list[tuple[str, str]]
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


@dataclass(frozen=True)
class LogPeriod:
    """Days in UTC, whose entries the log can show."""

    first: date
    last: date

    def url(self, **filters: str) -> str:
        given = {name: value for name, value in filters.items() if value}
        days = {"since": self.first.isoformat(), "until": self.last.isoformat(), "zone": UTC_DAYS}
        return f"{reverse('forum_log')}?{urlencode(given | days)}"


def present(statistics: Statistics) -> StatisticsPage:
    total = ModerationTally()
    for each in statistics.days.values():
        total.add(each)
    known = [action for action in ACTIONS if total.actions[action]]
    others = [OTHER] if set(total.actions) - set(ACTIONS) else []
    series = known + others
    days = [(_day(day), _in_series(each.actions)) for day, each in statistics.days.items()]
    periods = [LogPeriod(day, day) for day in statistics.days]
    all_days = LogPeriod(min(statistics.days), max(statistics.days))
    rows = [
        ChartRow(f"{label}: {_listed(counts, series)}", counts, period.url())
        for (label, counts), period in zip(days, periods, strict=True)
    ]
    labels = [(name, _("Other") if name == OTHER else action_label(name)) for name in series]
    colors = {name: chart_color(name) for name in series}
    return StatisticsPage(
        total=total.total,
        series=labels,
        chart=columns(rows, colors),
        legend=[(colors[name], label) for name, label in labels],
        summary=_summary(days, total.total),
        first=days[0][0],
        last=days[-1][0],
        days=[
            _row(label, counts, series, 0, period)
            for (label, counts), period in zip(reversed(days), reversed(periods), strict=True)
        ],
        people=_people(total, series, all_days),
        waits=_waits(total.waits, all_days),
        looked=sum(total.waits),
        half=_within(total.waits, 0.5),
        most=_within(total.waits, 0.9),
        restored=[
            _restored(
                all_days, _("All bans"), (total.bans, counted_entries.BANS), (total.restored, counted_entries.RESTORED)
            ),
            _restored(
                all_days,
                _("By people"),
                (total.bans - total.filter_bans, counted_entries.PEOPLE_BANS),
                (total.restored - total.filter_restored, counted_entries.PEOPLE_RESTORED),
            ),
            _restored(
                all_days,
                _("By the filter"),
                (total.filter_bans, counted_entries.FILTER_BANS),
                (total.filter_restored, counted_entries.FILTER_RESTORED),
            ),
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


def _row(
    label: str, counts: Counter[str], series: list[str], most: int, period: LogPeriod, note: str = "", who: str = ""
) -> StatisticsRow:
    return StatisticsRow(
        label,
        [counts[name] for name in series],
        counts.total(),
        share(counts.total(), most),
        note,
        period.url(moderator=who) if counts.total() else "",
        # Several actions of outside writers are one series.
        tuple(period.url(moderator=who, action=name) if counts[name] and name != OTHER else "" for name in series),
    )


def _people(total: ModerationTally, series: list[str], period: LogPeriod) -> list[StatisticsRow]:
    counts_by_admin = {admin: _in_series(actions) for admin, actions in total.people.items()}
    most = max((counts.total() for counts in counts_by_admin.values()), default=0)
    found = []
    for admin, counts in sorted(counts_by_admin.items(), key=lambda each: (-each[1].total(), each[0])):
        name = name_of(admin, total.names.get(admin, ""))
        found.append(_row(name, counts, series, most, period, "" if name == admin else admin, admin))
    return found


def _waits(waits: list[int], period: LogPeriod) -> list[StatisticsRow]:
    """Up to the longest that occurred."""
    last = max((number for number, count in enumerate(waits) if count), default=-1)
    return [
        StatisticsRow(
            wait_label(number),
            [],
            waits[number],
            share(waits[number], max(waits)),
            url=period.url(counted=wait_name(number)) if waits[number] else "",
        )
        for number in range(last + 1)
    ]


def _within(waits: list[int], part: float) -> str:
    bound = within(waits, part)
    if bound is not None:
        return _("within %(time)s") % {"time": duration(bound)}
    return _("longer than %(time)s") % {"time": duration(BOUNDS[-1])} if sum(waits) else "–"


def _restored(period: LogPeriod, label: str, bans: tuple[int, str], restored: tuple[int, str]) -> Restored:
    """Each number with its part of the log. Bans from before the period may be restored in it: more than 100 %."""
    banned, back = bans[0], max(0, restored[0])
    return Restored(
        label,
        banned,
        back,
        percent=f"{round(100 * back / banned)} %" if banned > 0 else "–",
        bar=share(back, max(banned, back)),
        restored_url=period.url(counted=restored[1]) if back else "",
        bans_url=period.url(counted=bans[1]) if banned > 0 else "",
    )
