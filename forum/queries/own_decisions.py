"""Queries for a moderator's own decisions that can still be undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from forum.items import Comment, ModerationEntry, Post
from forum.queries.latest_decisions import decisions_since
from forum.queries.log import by_time
from forum.services.decisions import target_of

# A page of entries and their targets are one query and one batch of DynamoDB each.
PAGE = 50
MAX_PAGES = 4
# An index of DynamoDB is usually behind by less than a second.
INDEX_LAG = timedelta(minutes=1)


@dataclass(frozen=True)
class UndoableDecision:
    """A log entry, and the revision of its target now. It differs from the entry's after an undone later decision."""

    entry: ModerationEntry
    revision: int


def last_decision(email: str) -> UndoableDecision | None:
    """The latest decision that is still in effect. An undo is not a decision, so it is never undone."""
    start_key, history = None, _OwnHistory({}, {})
    for _ in range(MAX_PAGES):
        page = decisions_by(email, start_key) if start_key else _newest_decisions_by(email)
        own = [(entry, key) for entry in page.items if (key := _key_of(entry)) is not None]
        revisions = revisions_of([key for _entry, key in own])
        for entry, key in own:
            revision, undone = _revision_after(entry), entry.details.text("undoes")
            if revision is None or key not in revisions:
                continue
            history.revisions[entry.address] = revision
            if undone:
                history.undone[key, revision] = undone
            elif history.effective_revision(key, revisions[key]) == revision:
                return UndoableDecision(entry, revisions[key])
        start_key = page.next_start_key
        if start_key is None:
            break
    return None


@dataclass(frozen=True)
class _OwnHistory:
    """The person's entries so far, the latest first."""

    # The revision of the target after an entry, by the entry's address.
    revisions: dict[str, int]
    # The address of what was undone, by the revision that the undo led to.
    undone: dict[tuple[Key, int], str]

    def effective_revision(self, key: Key, revision: int) -> int:
        """The revision whose state the target has now: an undo leads back to the one before what it undid."""
        while (key, revision) in self.undone:
            address = self.undone[key, revision]
            if address not in self.revisions:
                break
            revision = self.revisions[address] - 1
        return revision


def _newest_decisions_by(email: str) -> read.Page[ModerationEntry]:
    """The first page, with the decisions of the last minute from the log itself: the index may not have them yet."""
    page, (recent, _complete) = read.gather(
        lambda: decisions_by(email, None), lambda: decisions_since(to_wire(now() - INDEX_LAG))
    )
    by_address = {entry.address: entry for entry in [*page.items, *(each for each in recent if each.admin_id == email)]}
    return read.Page(sorted(by_address.values(), key=by_time, reverse=True), page.next_start_key)


@access_pattern("Which decisions has this person made, the latest first?", keys.MODERATION_BY)
def decisions_by(email: str, start_key: Any) -> read.Page[ModerationEntry]:
    try:
        collection = keys.MODERATION_BY.collection(admin=email)
    except BadKey:
        return read.Page([])
    page = read.page(collection, ModerationEntry, newest_first=True, start_key=start_key, limit=PAGE)
    # The index has seconds; within a second the ids tell the order.
    return read.Page(sorted(page.items, key=by_time, reverse=True), page.next_start_key)


@access_pattern("Which revisions do these posts and comments have?", keys.POST, keys.COMMENT)
def revisions_of(targets: list[Key]) -> dict[Key, int]:
    """The current revision of each target that exists, read consistently: the index of the log may be behind."""
    found = read.get_many(targets) if targets else []
    return {item.key: item.revision for item in found if isinstance(item, Post | Comment)}


def _key_of(entry: ModerationEntry) -> Key | None:
    try:
        return target_of(entry).key
    except NotFound:
        return None


def _revision_after(entry: ModerationEntry) -> int | None:
    """The revision of the target after this entry; None if an outside writer made it."""
    return entry.details.whole_number("revision")
