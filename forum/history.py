"""Entries of the moderation log as the sentences of a history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from forum.items import ModerationEntry
from forum.log_presenters import ICONS, reason_in_words, who_did
from forum.reasons import Choices
from forum.states import Action

WHAT: dict[str, str | Promise] = {
    Action.BAN: _("banned it"),
    Action.RESTORE: _("restored it"),
    Action.DELETE: _("deleted it"),
    Action.APPROVE: _("approved it"),
    Action.REOPEN: _("put it back in the queue"),
}


@dataclass(frozen=True)
class ModerationHistoryLine:
    """What `ui/history.html` shows."""

    who: str
    what: str
    when: datetime | None
    note: str
    icon: str


def history_lines(entries: Iterable[ModerationEntry], reasons: Choices) -> list[ModerationHistoryLine]:
    return [
        ModerationHistoryLine(
            who_did(entry),
            # An action of another service is told by its own name.
            str(WHAT.get(entry.action or "", entry.action or "?")),
            entry.moment,
            reason_in_words(entry, reasons),
            ICONS.get(entry.action or "", "history"),
        )
        for entry in entries
    ]


def author_of(entry: ModerationEntry) -> str:
    """The name of whoever wrote it, as it was then."""
    name = (entry.metadata or {}).get("userName")
    return name if isinstance(name, str) else ""
