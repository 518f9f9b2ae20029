"""Queries for comments on pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from content.comment_refs import COMMENT, CommentRef
from content.comment_statuses import CommentStatus
from content.items import ContentCard, PageComment
from dashboard.core.errors import NotFound
from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import AuditFilter
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import from_wire
from dashboard.web.open_lists import is_recent, known_until

PAGE = 25
# How many of an author's comments a fragment shows.
SOME = 10
# The pages whose titles a list of comments reads. A renamed page is among the newest.
MAX_TITLES = 100
MAX_OWN_ENTRIES = 50


@access_pattern("Which comments of this business have this status, the newest first?", keys.PAGE_COMMENTS_BY_STATUS)
def comments_by_status(business: str, status: str, **options: Any) -> read.Page[PageComment]:
    collection = keys.PAGE_COMMENTS_BY_STATUS.collection(tenant=business, status=status)
    return read.page(collection, PageComment, **_options(options))


@access_pattern("How many comments of this business wait for a decision?", keys.PAGE_COMMENTS_BY_STATUS)
def count_pending(business: str) -> int:
    return read.count(keys.PAGE_COMMENTS_BY_STATUS.collection(tenant=business, status=CommentStatus.PENDING))


@access_pattern("Which comments are on this page, the newest first?", keys.PAGE_COMMENT)
def comments_of_page(business: str, page: str, **options: Any) -> read.Page[PageComment]:
    try:
        collection = keys.PAGE_COMMENT.collection(tenant=business, page=page)
    except BadKey:
        return read.Page([])
    return read.page(collection, PageComment, **_options(options))


@access_pattern("Which comments has this visitor written, the newest first?", keys.PAGE_COMMENTS_OF_AUTHOR)
def comments_of_author(business: str, author: str, **options: Any) -> read.Page[PageComment]:
    try:
        collection = keys.PAGE_COMMENTS_OF_AUTHOR.collection(tenant=business, author=author)
    except BadKey:
        return read.Page([])
    return read.page(collection, PageComment, **_options(options))


def _options(options: dict[str, Any]) -> dict[str, Any]:
    return {"newest_first": True, "limit": PAGE} | options


@access_pattern("How many comments that wait were written since?", keys.PAGE_COMMENTS_BY_STATUS)
def count_written_since(business: str, since: str) -> int:
    """Up to a hundred. Nothing is new if `since` is not a timestamp."""
    try:
        from_wire(since)
    except (ValueError, OverflowError):
        return 0
    collection = keys.PAGE_COMMENTS_BY_STATUS.collection(tenant=business, status=CommentStatus.PENDING)
    return len(read.page(collection, PageComment, since=since, limit=read.COUNT_LIMIT, attributes=("status",)).items)


@access_pattern("Which titles do the pages have that were changed last?", keys.CONTENTS)
def newest_titles(business: str) -> dict[str, str]:
    """The title of each page by its id."""
    collection = keys.CONTENTS.collection(tenant=business)
    cards = read.page(collection, ContentCard, newest_first=True, limit=MAX_TITLES, attributes=("title",)).items
    return {str(card.key_parts["node"]): card.title for card in cards if card.title and "node" in card.key_parts}


@access_pattern("What is this comment?", keys.PAGE_COMMENT)
def load_comment(business: str, ref: CommentRef) -> PageComment:
    comment = read.get(PageComment, ref.key(business))
    if comment is None:
        raise NotFound
    return comment


@access_pattern("What is this comment, and which page is it on?", keys.PAGE_COMMENT, keys.CONTENT_CARD)
def load_comment_and_card(business: str, ref: CommentRef) -> tuple[PageComment, ContentCard | None]:
    found = read.get_many([ref.key(business), keys.CONTENT_CARD.key(tenant=business, node=ref.page)])
    comment, card = found
    if not isinstance(comment, PageComment):
        raise NotFound
    return comment, card if isinstance(card, ContentCard) else None


@access_pattern("Which comments are these?", keys.PAGE_COMMENT)
def find_comments(business: str, refs: Sequence[CommentRef]) -> dict[str, PageComment]:
    """By token; missing ones are left out. Read consistently."""
    found = read.get_many([ref.key(business) for ref in refs]) if refs else []
    return {item.ref.token: item for item in found if isinstance(item, PageComment)}


@access_pattern("Which revisions do these comments have?", keys.PAGE_COMMENT)
def revisions_of(business: str, refs: list[CommentRef]) -> dict[CommentRef, int]:
    """The revision of each comment that exists, read consistently."""
    found = read.get_many([ref.key(business) for ref in refs]) if refs else []
    return {item.ref: item.revision for item in found if isinstance(item, PageComment)}


def decisions_of(
    business: str,
    *,
    person: str = "",
    decision: str = "*",
    since: str | None = None,
    until: str | None = None,
    start_key: Any = None,
) -> read.Page[AuditEntry]:
    """The log of decisions, the newest first. It searches a bounded number of entries."""
    return audit.trail(business, AuditFilter(person, "", f"{COMMENT}.{decision}", since, until), start_key)


def decisions_since(business: str, moment: str) -> tuple[list[AuditEntry], str]:
    """The decisions, the oldest first, and up to when they are complete. None for an old or invalid `moment`."""
    following = known_until()
    if not is_recent(moment):
        return [], following
    found = audit.entries_since(business, moment)
    if found.next_start_key is not None and found.items:
        following = (found.items[-1].place or (following, ""))[0]
    return [entry for entry in found.items if (entry.action or "").startswith(f"{COMMENT}.")], following


@dataclass(frozen=True)
class UndoableComment:
    """The entry of a decision in effect, its comment, and the revision of the comment now."""

    entry: AuditEntry
    ref: CommentRef
    revision: int


def last_decision(business: str, email: str) -> UndoableComment | None:
    """The person's latest decision that is still in effect."""
    found = decisions_of(business, person=email).items
    # The index has seconds; within a second the ids tell the order.
    entries = sorted(found, key=lambda entry: entry.place or ("", ""), reverse=True)[:MAX_OWN_ENTRIES]
    own = [(ref, entry) for entry in entries if (ref := ref_of(entry)) is not None]
    revisions = revisions_of(business, list(dict.fromkeys(ref for ref, _entry in own)))
    # By a comment and the revision that an undo led to: the revision whose state it restored.
    restored: dict[tuple[CommentRef, int], int] = {}
    for ref, entry in own:
        after = entry.after or {}
        revision, undone = after.get("revision"), after.get("undoes")
        if ref not in revisions or not isinstance(revision, int):
            continue
        if isinstance(undone, int):
            restored[ref, revision] = undone - 1
            continue
        effective = revisions[ref]
        while (ref, effective) in restored:
            effective = restored[ref, effective]
        if effective == revision:
            return UndoableComment(entry, ref, revisions[ref])
    return None


def ref_of(entry: AuditEntry) -> CommentRef | None:
    """The comment that an entry is about; None for an entry of an outside writer."""
    try:
        return CommentRef.of_token(str(entry.target_data.get("id") or "").removeprefix(f"{COMMENT}:"))
    except ValueError:
        return None
