"""Entries of the moderation log as the history of a post, a comment or a person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from forum.actions import ACTIONS
from forum.items import ModerationEntry
from forum.log_presenters import reason_in_words, who_did
from forum.reasons import ReasonChoices


@dataclass(frozen=True)
class ModerationHistoryLine:
    """A line of `ui/history.html`."""

    who: str
    what: str
    when: datetime | None
    note: str
    icon: str


def history_lines(entries: Iterable[ModerationEntry], reasons: ReasonChoices) -> list[ModerationHistoryLine]:
    return [_line(entry, reasons) for entry in entries]


def _line(entry: ModerationEntry, reasons: ReasonChoices) -> ModerationHistoryLine:
    spec = ACTIONS.get(entry.action or "")
    return ModerationHistoryLine(
        who_did(entry),
        # An action of an outside writer is shown by its own name.
        str(spec.history_text) if spec else entry.action or "?",
        entry.moment,
        reason_in_words(entry, reasons),
        spec.icon if spec else "history",
    )


def author_of(entry: ModerationEntry) -> str:
    """The name of the author when the entry was written."""
    name = (entry.metadata or {}).get("userName")
    return name if isinstance(name, str) else ""
