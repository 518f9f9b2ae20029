"""Movements as the data that templates show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from dashboard.core.names import initials
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
