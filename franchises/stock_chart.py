"""The stock at the end of each day, from movements, as the data that a template shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.web.charts import ChartRow, Columns, columns
from franchises.items import Movement
from franchises.ledger import Units
from franchises.presenters import display_number

CHART_DAYS = 60
STOCK, BELOW = "stock", "below"
COLORS = {STOCK: "blue", BELOW: "red"}
StockDays = list[tuple[date, int]]


class StockHistory(NamedTuple):
    """The latest movements of one stock, newest first, and whether there are no older ones."""

    movements: Sequence[Movement]
    is_complete: bool
    # The stock now: it is constant where there is no movement.
    stock: Units = 0


class StockChart:
    """A column for each day."""

    def __init__(self, days: StockDays) -> None:
        self.days = [(date_format(day, "j M"), display_number(stock)) for day, stock in days]
        rows = [
            ChartRow(
                f"{date_format(day, 'j M')}: {display_number(stock)}", {STOCK if stock >= 0 else BELOW: abs(stock)}
            )
            for day, stock in days
        ]
        self.chart: Columns = columns(rows, COLORS)
        self.first, self.last = (self.days[0][0], self.days[-1][0]) if days else ("", "")
        has_below = any(stock < 0 for _day, stock in days)
        self.legend = [(COLORS[STOCK], _("Stock")), (COLORS[BELOW], _("Below zero"))] if has_below else []
        self.is_empty = len(days) < 2
        self.summary = _("Stock at the end of each day, %(first)s to %(last)s") % {
            "first": self.first,
            "last": self.last,
        }


def stock_by_day(movements: Sequence[Movement]) -> StockDays:
    """The stock at the end of each day, from movements with the newest first.

    Days without a movement have the stock of the day before. Days before the first known stock are left out.
    """
    ends = _last_of_days(movements)
    if not ends:
        return []
    today = _today()
    start = max(min(ends), today - timedelta(days=CHART_DAYS - 1))
    stock: int | None = None
    for day in sorted(ends):
        if day < start:
            stock = int(ends[day].after)
    found = []
    for day in _days(start, today):
        if day in ends:
            stock = int(ends[day].after)
        if stock is not None:
            found.append((day, stock))
    return found


def total_by_day(histories: Sequence[StockHistory]) -> StockDays:
    """The sum of several stocks. It begins on the first day on which all of them are known."""
    known = [(history, by_day) for history in histories if (by_day := dict(stock_by_day(history.movements)))]
    if not known:
        return []
    constant = sum(int(history.stock) for history in histories if not history.movements)
    starts = [min(by_day) for _history, by_day in known]
    cut = [min(by_day) for history, by_day in known if not history.is_complete]
    return [
        (day, constant + sum(by_day.get(day, _stock_before(history)) for history, by_day in known))
        for day in _days(max(cut, default=min(starts)), _today())
    ]


def _stock_before(history: StockHistory) -> int:
    """The stock before the first of the movements."""
    return int(history.movements[-1].before or 0)


def _last_of_days(newest_first: Sequence[Movement]) -> dict[date, Any]:
    ends: dict[date, Any] = {}
    for each in newest_first:
        if each.at is not None and each.after is not None:
            ends.setdefault(timezone.localtime(each.at).date(), each)
    return ends


def _today() -> date:
    return timezone.localtime(now()).date()


def _days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]
