"""Posts, comments and the moderation log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import TypeVar
from urllib.parse import quote

from pynamodb.attributes import UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import (
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
    PlainMapAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import TimestampAttribute, from_wire
from forum.statuses import ACTIVE

Read = TypeVar("Read")
# Separates the parts of an entry's address. No time and no id of ours contains it.
ADDRESS = "_"
# A score of [0, 1] as the whole number that sorts the same.
SCORE_STEPS = 10**9


def score_in_key(item: ForumText) -> int | None:
    """The position in the review queue; None if it is not in the queue. A reversed decision comes first."""
    if item.status != ACTIVE or item.reviewed_at:
        return None
    if item.reversed_decision:
        return SCORE_STEPS
    score = item.profanity_score
    return round(score * SCORE_STEPS) if score is not None and 0 < score <= 1 else None


def hash_of(text: str | None) -> str:
    """The hash by which a decision knows the text that it was made about."""
    return hashlib.sha256((text or "").encode(errors="surrogatepass")).hexdigest()[:32]


def non_negative(number: float | None) -> float:
    """Never negative: an outside writer may not have counted what we count down."""
    return max(0, number or 0)


class ForumText:
    """The attributes that posts and comments share."""

    user_id = LenientUnicodeAttribute(null=True, attr_name="userId")
    # The name when it was written; outside writers store only the address.
    author_name = LenientUnicodeAttribute(null=True, attr_name="authorName")
    content = LenientUnicodeAttribute(null=True)
    # Strict: a number is no status, and a text without a status can be moderated like an active one.
    status = UnicodeAttribute(null=True)
    banned_at = TimestampAttribute(null=True, attr_name="bannedAt")
    banned_by = LenientUnicodeAttribute(null=True, attr_name="bannedBy")
    ban_reason = LenientUnicodeAttribute(null=True, attr_name="banReason")
    # The id of the preset: it is shown in the language of the reader.
    ban_reason_id = LenientUnicodeAttribute(null=True, attr_name="banReasonId")
    deleted_by = LenientUnicodeAttribute(null=True, attr_name="deletedBy")
    profanity_score = LenientNumberAttribute(null=True, attr_name="profanityScore")
    # The data behind the score: the filter's version and threshold, and the matches.
    profanity = PlainMapAttribute(null=True)
    reviewed_at = TimestampAttribute(null=True, attr_name="reviewedAt")
    reviewed_by = UnicodeAttribute(null=True, attr_name="reviewedBy")
    # The decision of ours that an outside writer has reversed: status, by. It is set until a moderator decides again.
    reversed_decision = PlainMapAttribute(null=True, attr_name="reversedDecision")

    @property
    def filter_result(self) -> StoredMap:
        """The data behind the score; empty if there is none."""
        return StoredMap.of(self.profanity)


class Post(ForumText, Item):
    """Likes and comments are counted by the apps; absent means 0."""

    key_pattern = keys.POST

    images = PlainListAttribute(null=True)
    likes = LenientNumberAttribute(null=True)
    comments_count = LenientNumberAttribute(null=True, attr_name="commentsCount")
    announcement = LenientBooleanAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        created_at = self.created_at
        yield from keys.POSTS_OF_AUTHOR.optional_key(user=self.user_id, created_at=created_at)
        if not self.status:
            return
        yield from keys.POSTS_BY_STATUS.optional_key(status=self.status, created_at=created_at)
        if self.status == ACTIVE:
            yield from keys.ACTIVE_POSTS.optional_key(created_at=created_at)
        # Only active posts are in the public feeds; each other status has its own.
        feed = "" if self.status == ACTIVE else self.status
        yield from keys.POSTS_BY_LIKES.optional_key(status=feed, likes=non_negative(self.likes), created_at=created_at)
        yield from keys.POSTS_BY_COMMENTS.optional_key(
            status=feed, comments=non_negative(self.comments_count), created_at=created_at
        )
        yield from keys.POSTS_TO_REVIEW.optional_key(score=score_in_key(self), created_at=created_at)


class Comment(ForumText, Item):
    key_pattern = keys.COMMENT

    # The id of the comment of the same post that it replies to.
    parent_id = LenientUnicodeAttribute(null=True, attr_name="parentId")

    def index_keys(self) -> Iterator[IndexKey]:
        created_at = self.created_at
        yield from keys.COMMENTS_OF_AUTHOR.optional_key(user=self.user_id, created_at=created_at)
        yield from keys.COMMENTS_BY_STATUS.optional_key(status=self.status, created_at=created_at)
        yield from keys.COMMENTS_OF_POST.optional_key(
            post=self.key_parts["post"], status=self.status, created_at=created_at
        )
        yield from keys.COMMENTS_TO_REVIEW.optional_key(score=score_in_key(self), created_at=created_at)


class Decision(Item):
    """The state that the last decision gave a post or a comment. An outside writer's Put does not remove it."""

    key_pattern = keys.DECISION
    editable = False

    # In the form of the log (`State.to_dict`).
    state = PlainMapAttribute(null=True)
    # The hash of the text that was decided about.
    text_hash = UnicodeAttribute(null=True, attr_name="textHash")
    # The revision of the post or comment after the decision.
    item_revision = LenientNumberAttribute(null=True, attr_name="itemRevision")
    decided_by = UnicodeAttribute(null=True, attr_name="decidedBy")
    decided_at = TimestampAttribute(null=True, attr_name="decidedAt")
    # Set if an outside writer has reversed the decision since.
    reversed_at = TimestampAttribute(null=True, attr_name="reversedAt")


class ModerationEntry(Item):
    """An action of a moderator or of the filter on a post or a comment."""

    key_pattern = keys.MODERATION
    editable = False

    action = LenientUnicodeAttribute(null=True)
    target_type = LenientUnicodeAttribute(null=True, attr_name="targetType")
    target_id = LenientUnicodeAttribute(null=True, attr_name="targetId")
    reason = LenientUnicodeAttribute(null=True)
    admin_id = LenientUnicodeAttribute(null=True, attr_name="adminId")
    admin_name = LenientUnicodeAttribute(null=True, attr_name="adminName")
    reason_id = LenientUnicodeAttribute(null=True, attr_name="reasonId")
    original_content = LenientUnicodeAttribute(null=True, attr_name="originalContent")
    metadata = PlainMapAttribute(null=True)
    operation = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        at = self.key_parts["at"]
        yield from keys.MODERATION_OF_TARGET.optional_key(target=self.target_id, at=at)
        yield from keys.MODERATION_BY.optional_key(admin=self.key_parts["admin"], at=at)
        yield from keys.MODERATION_OF_AUTHOR.optional_key(user=self.author_id, at=at)
        yield from keys.MODERATION_OF_OPERATION.optional_key(operation=self.operation, at=at)
        yield from keys.MODERATION_BY_ACTION.optional_key(action=self.action, at=at)

    @property
    def address(self) -> str:
        """Its id in forms and URLs; empty if the key of an outside writer is incomplete or has two days."""
        parts = {name: str(part) for name, part in self.key_parts.items()}
        if not parts or parts["at"][:10] != parts["date"]:
            return ""
        # The id is the part after the last separator, so it must not contain one.
        return ADDRESS.join([parts["at"], parts["admin"], quote(parts["action"], safe="").replace(ADDRESS, "%5F")])

    @property
    def moment(self) -> datetime | None:
        """The time in its key."""
        return _read(from_wire, str(self.key_parts.get("at", "")))

    @property
    def day(self) -> date | None:
        """The day in its key."""
        return _read(date.fromisoformat, str(self.key_parts.get("date", "")))

    @property
    def details(self) -> StoredMap:
        """The metadata; empty if an outside writer stored none."""
        return StoredMap.of(self.metadata)

    @property
    def author_id(self) -> str | None:
        """The author of the post or comment."""
        return self.details.text("userId") or None


def _read(reading: Callable[[str], Read], text: str) -> Read | None:
    try:
        return reading(text)
    except (ValueError, OverflowError):
        return None


class ModerationDay(Item):
    """The counts of a day."""

    key_pattern = keys.MODERATION_DAY
    editable = False

    counts = PlainMapAttribute(null=True)

    @property
    def day(self) -> date | None:
        return _read(date.fromisoformat, str(self.key_parts.get("date", "")))


class ModerationRollup(Item):
    """The last day that is counted. Due when the next day is over."""

    key_pattern = keys.MODERATION_ROLLUP

    through = UnicodeAttribute(null=True)
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)


class Presence(Item):
    """Which card a moderator has open."""

    key_pattern = keys.PRESENCE
    editable = False

    name = UnicodeAttribute(null=True)
    target = UnicodeAttribute(null=True)
