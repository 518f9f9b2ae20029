"""Entries of the moderation log as the history of a post or a comment, and of an author."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from forum.actions import ACTIONS
from forum.items import ModerationEntry
from forum.log_presenters import kind_in_words, reason_in_words, url_of, who_did
from forum.reasons import ReasonChoices
from forum.reversals import reverted_action, reverted_entries
from forum.services.decisions import target_of

EXCERPT = 80


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


@dataclass(frozen=True)
class AuthorHistoryLine(ModerationHistoryLine):
    """A line of `forum/_author_history.html`: an action, and the post or comment that it refers to."""

    kind: str
    excerpt: str
    url: str
    is_undo: bool
    # Part of a mistaken decision: it does not count.
    is_reverted: bool


def author_history(entries: Sequence[ModerationEntry], reasons: ReasonChoices) -> list[AuthorHistoryLine]:
    """`entries` are newest first."""
    reverted = reverted_entries(entries)
    return [_author_line(entry, reasons, entry.address in reverted) for entry in entries]


def _author_line(entry: ModerationEntry, reasons: ReasonChoices, is_reverted: bool) -> AuthorHistoryLine:
    line, text = _line(entry, reasons), " ".join((entry.original_content or "").split())
    return AuthorHistoryLine(
        line.who,
        line.what,
        line.when,
        line.note,
        line.icon,
        kind_in_words(entry),
        text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…",
        url_of(target_of(entry)),
        "undoes" in entry.details or bool(reverted_action(entry)),
        is_reverted,
    )


def author_of(entry: ModerationEntry) -> str:
    """The name of the author when the entry was written."""
    return entry.details.text("userName")
