"""Entries of the moderation log as sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.table.timestamps import from_wire
from forum.cards import BY_FILTER
from forum.items import ModerationEntry
from forum.reasons import Choices
from forum.states import Action

WHAT = {
    Action.BAN: gettext_lazy("banned it"),
    Action.RESTORE: gettext_lazy("restored it"),
    Action.DELETE: gettext_lazy("deleted it"),
    Action.APPROVE: gettext_lazy("approved it"),
    Action.REOPEN: gettext_lazy("put it back in the queue"),
}


@dataclass(frozen=True)
class Told:
    """What `ui/history.html` shows."""

    who: str
    what: str
    when: datetime | None
    note: str = ""
    icon: str = "history"


def told(entries: Iterable[ModerationEntry], reasons: Choices) -> list[Told]:
    return [
        Told(
            by(entry),
            str(WHAT.get(Action(entry.action), entry.action)) if entry.action in set(Action) else entry.action or "",
            when(entry),
            reasons.read(entry.reason_id, entry.reason),
            ICONS.get(str(entry.action), "history"),
        )
        for entry in entries
    ]


ICONS: dict[str, str] = {
    Action.BAN: "ban",
    Action.RESTORE: "rotate-ccw",
    Action.DELETE: "trash-2",
    Action.APPROVE: "check",
    Action.REOPEN: "inbox",
}


def by(entry: ModerationEntry) -> str:
    """Who decided: a name, an address, or the filter in one of its versions."""
    admin = str(entry.key_parts.get("admin", ""))
    if admin.startswith(BY_FILTER):
        return _("The filter, version %(number)s,") % {"number": admin.removeprefix(BY_FILTER).lstrip("0") or "0"}
    return entry.admin_name or entry.admin_id or admin


def author_of(entry: ModerationEntry) -> str:
    """The name of whoever wrote it, as it was then."""
    name = (entry.metadata or {}).get("userName")
    return name if isinstance(name, str) else ""


def when(entry: ModerationEntry) -> datetime | None:
    try:
        return from_wire(str(entry.key_parts.get("at", "")))
    except (ValueError, OverflowError):
        return entry.created_at
