"""Converts entries of the moderation log for pages and files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.core.names import initials
from dashboard.platform.audit.diff import Value
from dashboard.web.pages import url_or_empty
from forum.actions import ACTIONS, Action
from forum.items import ModerationEntry
from forum.queries.log import FILTER
from forum.reasons import ReasonChoices
from forum.services.decisions import target_of
from forum.targets import ForumTarget, TargetKind

_VERSION = re.compile(re.escape(FILTER) + r"v([0-9]{1,8})")


@dataclass(frozen=True)
class LogRow:
    who: str
    initials: str
    by_filter: bool
    moderator: str
    action: str
    level: str
    icon: str
    kind: str
    content: Value
    author: str
    author_id: str
    reason: str
    when: datetime | None
    score: str
    operation: str
    # How many entries of this page belong to the same bulk action.
    bulk_size: int
    is_undo: bool
    target_id: str
    target_url: str
    undo_url: str
    # The page that undoes all bans of the same version of the filter.
    cause_url: str
    # Links that filter the list by these.
    by_moderator: str
    by_author: str
    by_target: str
    by_operation: str


def log_rows(request: HttpRequest, entries: Sequence[ModerationEntry], reasons: ReasonChoices) -> list[LogRow]:
    """Rows of a page. An entry with a later one on the same page has no undo: it would be refused."""
    query = request.GET.copy()
    for name in ("cursor", "shown"):
        query.pop(name, None)
    sizes = Counter(entry.operation for entry in entries if entry.operation)
    newest: dict[str, int] = {}
    for entry in entries:
        path = target_of(entry).path
        newest[path] = max(newest.get(path, 0), _revision(entry))
    return [
        _row(entry, query, reasons, sizes[entry.operation], newest[target_of(entry).path] > _revision(entry))
        for entry in entries
    ]


def _row(
    entry: ModerationEntry, query: QueryDict, reasons: ReasonChoices, bulk_size: int, is_overtaken: bool
) -> LogRow:
    who, details = who_did(entry), entry.details
    spec = ACTIONS.get(entry.action or "")
    author_id = entry.author_id or ""
    return LogRow(
        who=who,
        initials=initials(who),
        by_filter=is_filter(entry.admin_id),
        moderator=entry.admin_id or "",
        action=action_label(entry.action),
        level=spec.log_badge_level if spec else "plain",
        icon=spec.icon if spec else "circle",
        kind=kind_in_words(entry),
        content=Value(entry.original_content or ""),
        author=details.text("userName") or author_id,
        author_id=author_id,
        reason=reason_in_words(entry, reasons),
        when=entry.moment,
        score=score_of(entry),
        operation=entry.operation or "",
        bulk_size=bulk_size,
        is_undo="undoes" in details,
        target_id=entry.target_id or "",
        target_url=url_of(target_of(entry)),
        undo_url="" if is_overtaken or not can_be_undone(entry) else url_or_empty("forum_undo", entry.address),
        cause_url=cause_url(entry.admin_id) if entry.action == Action.BAN else "",
        by_moderator=_with(query, "moderator", entry.admin_id),
        by_author=_with(query, "author", author_id),
        by_target=_with(query, "target", entry.target_id),
        # Without the range of dates: a bulk action may take a while.
        by_operation=_with(QueryDict(), "operation", entry.operation),
    )


# --- Texts ------------------------------------------------------------------------------------
def is_filter(admin: str | None) -> bool:
    return (admin or "").startswith(FILTER)


def name_of(admin: str, name: str = "") -> str:
    """The name of a person, or the version of the filter."""
    version = _VERSION.fullmatch(admin)
    if version:
        return _("Filter v%(version)s") % {"version": int(version[1])}
    return name or (_("Filter") if is_filter(admin) else admin) or "?"


def who_did(entry: ModerationEntry) -> str:
    return name_of(entry.admin_id or "", entry.admin_name or "")


def action_label(action: str | None) -> str:
    """An action of an outside writer is shown by its own name."""
    spec = ACTIONS.get(action or "")
    return str(spec.label) if spec else action or "?"


def kind_in_words(entry: ModerationEntry) -> str:
    kinds: dict[str, str] = {TargetKind.POST: _("post"), TargetKind.COMMENT: _("comment")}
    return kinds.get(entry.target_type or "", entry.target_type or "?")


def reason_in_words(entry: ModerationEntry, reasons: ReasonChoices) -> str:
    """A preset in the language of the reader. For a ban of the filter also the words that it found."""
    text = reasons.text_of(entry.reason_id, entry.reason)
    if is_filter(entry.admin_id) and entry.reason and text != entry.reason:
        return f"{text}: {entry.reason}"
    return text


def score_of(entry: ModerationEntry) -> str:
    score = entry.details.number("score")
    return f"{score:.2f}" if score else ""


# --- Links ---------------------------------------------------------------------------
def can_be_undone(entry: ModerationEntry) -> bool:
    """Whether the entry has what an undo needs. The service checks that nothing has been decided since."""
    spec = ACTIONS.get(entry.action or "")
    if spec is None or not entry.address or not target_of(entry).post:
        return False
    return "revision" in entry.details or spec.changes_status


def cause_url(admin: str | None) -> str:
    """The page that undoes all bans of a version of the filter; empty for a person."""
    version = _VERSION.fullmatch(admin or "")
    return reverse("profanity_banned", args=[int(version[1])]) if version else ""


def url_of(target: ForumTarget) -> str:
    if not target.post:
        return ""
    return url_or_empty("comment", target.post, target.comment) if target.comment else url_or_empty("post", target.post)


def _revision(entry: ModerationEntry) -> int:
    return entry.details.whole_number("revision") or 0


def _with(query: QueryDict, name: str, value: str | None) -> str:
    if not value:
        return ""
    filtered = query.copy()
    filtered[name] = value
    return f"?{filtered.urlencode()}"
