"""Movements as the data that templates show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.names import initials
from dashboard.web.charts import Columns, columns
from dashboard.web.pages import url_or_empty
from franchises.causes import CauseKind
from franchises.items import Movement
from franchises.presenters import display_change, display_number
from franchises.reasons import REASON_LABELS, MovementReason

# The levels of badges by reason.
_LEVELS = {
    MovementReason.SALE: ("plain", "shopping-bag"),
    MovementReason.DELIVERY: ("good", "package"),
    MovementReason.COUNT: ("info", "clipboard-list"),
    MovementReason.LOSS: ("bad", "trash-2"),
    MovementReason.TRANSFER: ("info", "route"),
    MovementReason.CORRECTION: ("info", "pencil"),
    MovementReason.OUTSIDE: ("warn", "external-link"),
}
CHART_DAYS = 60
STOCK, BELOW = "stock", "below"


class MovementRow:
    """A movement in a list, with links to the product, the branch, the person and the cause."""

    # The format of the time; pages of one day leave out the date.
    time_format = "short"

    def __init__(self, business: str, movement: Movement, branches: Mapping[str, str]) -> None:
        self.movement, self.at, self.seq = movement, movement.at, movement.seq
        self.title, self.url = movement.title, url_or_empty("product", business, movement.product_id)
        self.before, self.after = display_number(movement.before), display_number(movement.after)
        self.change = display_change(movement.change)
        self.is_below_zero = movement.after is not None and movement.after < 0
        reason = movement.reason or ""
        self.reason = str(REASON_LABELS.get(reason, reason)) if reason else "–"  # type: ignore[call-overload]
        self.level, self.icon = _LEVELS.get(reason, ("plain", "circle"))  # type: ignore[call-overload]
        self.note = movement.note or ""
        self.branch = branches.get(movement.branch_id or "", movement.branch_id or "")
        self.branch_url = url_or_empty("branch", business, movement.branch_id or "") if self.branch else ""
        self.is_outside = movement.is_outside
        actor = movement.actor or {}
        email = str(actor.get("email") or "")
        self.who = str(actor.get("name") or email) if email else _("Other service")
        self.initials = initials(self.who) if email else ""
        list_url = reverse("movements", args=[business])
        self.who_url = f"{list_url}?{urlencode({'person': email})}" if email else ""
        cause = movement.cause or {}
        self.cause = str(cause.get("title") or "")
        cause_id = str(cause.get("id") or "")
        self.cause_url = f"{list_url}?{urlencode({'cause': cause_id})}" if cause_id else ""
        if cause.get("kind") == CauseKind.COUNT:
            self.cause_url = url_or_empty("count", business, cause_id) or self.cause_url
        self.undoes, self.undone_by = movement.undoes, movement.undone_by
        self.undo_url = ""
        if not movement.undone_by:
            self.undo_url = url_or_empty("movement_undo", business, movement.product_id, str(movement.seq))


def movement_rows(
    business: str,
    movements: Iterable[Movement],
    branches: Mapping[str, str],
    *,
    own_branch: str | None = None,
    is_one_day: bool = False,
) -> list[MovementRow]:
    """The rows. The page of a product leaves out its own branch, a page of one day the dates."""
    rows = [MovementRow(business, each, branches) for each in movements]
    for row in rows:
        if own_branch and row.movement.branch_id == own_branch:
            row.branch = ""
        if is_one_day:
            row.time_format = "time"
    return rows


class StockChart:
    """The stock at the end of each day, from the movements of a product, newest first."""

    def __init__(self, movements: list[Movement]) -> None:
        days = _stock_by_day(movements)
        self.days = [(date_format(day, "j M"), display_number(stock)) for day, stock in days]
        rows: list[tuple[str, Mapping[str, int]]] = [
            (f"{date_format(day, 'j M')}: {display_number(stock)}", {STOCK if stock >= 0 else BELOW: abs(stock)})
            for day, stock in days
        ]
        self.chart: Columns = columns(rows, (STOCK, BELOW))
        self.first, self.last = (self.days[0][0], self.days[-1][0]) if days else ("", "")
        self.has_below = any(stock < 0 for _day, stock in days)
        self.is_empty = len(days) < 2
        self.summary = _("Stock at the end of each day, %(first)s to %(last)s") % {
            "first": self.first,
            "last": self.last,
        }


def _stock_by_day(movements: list[Movement]) -> list[tuple[date, int]]:
    """Days without a movement have the stock of the day before. Days before the first known stock are left out."""
    known = [each for each in movements if each.at is not None and each.after is not None]
    if not known:
        return []
    today = timezone.localtime(now()).date()
    ends: dict[date, Any] = {}
    for each in known:  # Newest first: the first of a day is its last one.
        ends.setdefault(timezone.localtime(each.at).date(), each)
    start = max(min(ends), today - timedelta(days=CHART_DAYS - 1))
    stock: int | None = None
    for day in sorted(ends):
        if day < start:
            stock = int(ends[day].after)
    found = []
    for number in range((today - start).days + 1):
        day = start + timedelta(days=number)
        if day in ends:
            stock = int(ends[day].after)
        if stock is not None:
            found.append((day, stock))
    return found
