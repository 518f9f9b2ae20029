"""Usage as the pages show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.usage.items import ALL, PEOPLE, REQUESTS, UNKNOWN_KEY, Counters, MonthlyUsage, Usage
from dashboard.platform.usage.prices import WARNING_SHARE, limit_of
from dashboard.platform.usage.queries import days_of
from dashboard.table.registry import PATTERNS
from dashboard.web import charts

KEY_LABELS = {
    PEOPLE: gettext_lazy("People in the back office"),
    UNKNOWN_KEY: gettext_lazy("Requests without a known key"),
    ALL: gettext_lazy("Everything"),
}
# The patterns with the highest cost that the page lists. The file has all.
MAX_LISTED = 25


@dataclass(frozen=True)
class UsageRow:
    """One line of a table: a day, a key, an access pattern or a business."""

    title: str
    counters: Counters
    subtitle: str = ""
    url: str = ""

    @property
    def calls(self) -> str:
        return whole(self.counters.calls)

    @property
    def errors(self) -> str:
        return whole(self.counters.errors)

    @property
    def units(self) -> str:
        return whole(self.counters.units)

    @property
    def latency(self) -> str:
        return f"{whole(self.counters.mean_ms)} ms"

    @property
    def bytes(self) -> str:
        return size_text(self.counters.bytes)

    @property
    def cost(self) -> str:
        return cost_text(self.counters.cost)


@dataclass(frozen=True)
class AbuseRow:
    """A key with refused requests."""

    title: str
    counters: Counters
    key: ApiKey | None = None
    revoke_url: str = ""

    @property
    def throttled(self) -> str:
        return whole(self.counters.throttled)

    @property
    def foreign(self) -> str:
        return whole(self.counters.foreign)

    @property
    def rejected(self) -> str:
        return whole(self.counters.rejected)


@dataclass(frozen=True)
class PlanState:
    """How much of a plan is used."""

    used: int
    limit: int | None

    @classmethod
    def of(cls, month: MonthlyUsage | None, plan: str | None) -> PlanState:
        return cls(int(month.api_requests.calls) if month is not None else 0, limit_of(plan))

    @property
    def is_over(self) -> bool:
        return self.limit is not None and self.used >= self.limit

    @property
    def is_near(self) -> bool:
        return self.limit is not None and not self.is_over and self.used >= self.limit * WARNING_SHARE

    @property
    def share(self) -> str:
        return charts.share(self.used, self.limit) if self.limit else "0"

    @property
    def text(self) -> str:
        values = {"used": whole(self.used), "limit": whole(self.limit or 0)}
        if self.limit is None:
            return _("%(used)s API requests, without a limit") % values
        return _("%(used)s of %(limit)s API requests") % values


def total_of(usages: Iterable[Usage]) -> Counters:
    return sum((each.requests for each in usages), Counters())


def rows_by_day(usages: Sequence[Usage], month: date, until: date) -> list[UsageRow]:
    by_day: dict[str, Counters] = {}
    for each in usages:
        by_day[each.day] = by_day.get(each.day, Counters()) + each.requests
    days = [day for day in days_of(month) if day <= until]
    return [UsageRow(date_format(day, "D j M"), by_day.get(day.isoformat(), Counters())) for day in days]


def rows_by_key(usages: Iterable[Usage], titles: Mapping[str, str]) -> list[UsageRow]:
    by_key: dict[str, Counters] = {}
    for each in usages:
        by_key[each.api_key] = by_key.get(each.api_key, Counters()) + each.requests
    rows = [UsageRow(title_of(key, titles), counters) for key, counters in by_key.items()]
    return sorted(rows, key=lambda row: (-row.counters.calls, row.title))


def rows_by_pattern(usages: Iterable[Usage]) -> list[UsageRow]:
    by_pattern: dict[str, Counters] = {}
    for usage in usages:
        for name, counters in usage.patterns.items():
            if name != REQUESTS:
                by_pattern[name] = by_pattern.get(name, Counters()) + counters
    rows = [UsageRow(_question(name), counters, subtitle=name) for name, counters in by_pattern.items()]
    return sorted(rows, key=lambda row: (-row.counters.cost, -row.counters.calls, row.title))


def _question(name: str) -> str:
    known = PATTERNS.get(name)
    return known.question if known is not None else name.rpartition(".")[2].replace("_", " ")


def title_of(key: str, titles: Mapping[str, str]) -> str:
    return titles.get(key) or str(KEY_LABELS.get(key, key))


def day_chart(rows: Sequence[UsageRow]) -> charts.Columns:
    titled = [charts.ChartRow(f"{row.title}: {row.calls}", {"requests": int(row.counters.calls)}) for row in rows]
    return charts.columns(titled, {"requests": "blue"})


def whole(number: float) -> str:
    return number_format(round(number), decimal_pos=0, use_l10n=True, force_grouping=True)


def size_text(size: float) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{whole(size)} {unit}"
        size /= 1000
    return f"{number_format(size, decimal_pos=1, use_l10n=True)} GB"


def cost_text(dollars: float) -> str:
    """Small amounts with more digits: a page costs a millionth of a dollar."""
    digits = 2 if dollars >= 1 or not dollars else 4
    return f"US$ {number_format(dollars, decimal_pos=digits, use_l10n=True)}"
