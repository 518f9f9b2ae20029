"""The forum, and what moderators did to it (seed 002)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute

ACTIVE = "active"
# A score of [0, 1] as the whole number that sorts the same.
SCORE_STEPS = 10**9


def score_in_key(status: str | None, score: float | None, reviewed: Any) -> int | None:
    """Where something stands among what waits for review; none where it does not wait."""
    waits = status == ACTIVE and score is not None and 0 < score <= 1 and not reviewed
    return round(score * SCORE_STEPS) if waits and score is not None else None


class Post(Item):
    """What someone wrote. Likes and comments are counted by the apps; absent is none yet."""

    pattern = keys.POST

    user_id = UnicodeAttribute(null=True, attr_name="userId")
    content = UnicodeAttribute(null=True)
    images = PlainListAttribute(null=True)
    likes = NumberAttribute(null=True)
    comments_count = NumberAttribute(null=True, attr_name="commentsCount")
    status = UnicodeAttribute(null=True)
    banned_at = TimestampAttribute(null=True, attr_name="bannedAt")
    banned_by = UnicodeAttribute(null=True, attr_name="bannedBy")
    ban_reason = UnicodeAttribute(null=True, attr_name="banReason")
    profanity_score = NumberAttribute(null=True, attr_name="profanityScore")
    reviewed_at = TimestampAttribute(null=True, attr_name="reviewedAt")

    def index_keys(self) -> Iterator[IndexKey]:
        created_at = self.created_at
        yield from keys.POSTS_OF_AUTHOR.place(user=self.user_id, created_at=created_at)
        if not self.status:
            return
        yield from keys.POSTS_BY_STATUS.place(status=self.status, created_at=created_at)
        if self.status == ACTIVE:
            yield from keys.ACTIVE_POSTS.place(created_at=created_at)
        # What is not active is in its status's own feeds, never in the public ones.
        feed = "" if self.status == ACTIVE else self.status
        yield from keys.POSTS_BY_LIKES.place(status=feed, likes=self.likes or 0, created_at=created_at)
        yield from keys.POSTS_BY_COMMENTS.place(status=feed, comments=self.comments_count or 0, created_at=created_at)
        score = score_in_key(self.status, self.profanity_score, self.reviewed_at)
        yield from keys.POSTS_TO_REVIEW.place(score=score, created_at=created_at)


class Comment(Item):
    """What someone wrote below a post."""

    pattern = keys.COMMENT

    user_id = UnicodeAttribute(null=True, attr_name="userId")
    content = UnicodeAttribute(null=True)
    status = UnicodeAttribute(null=True)
    banned_at = TimestampAttribute(null=True, attr_name="bannedAt")
    banned_by = UnicodeAttribute(null=True, attr_name="bannedBy")
    ban_reason = UnicodeAttribute(null=True, attr_name="banReason")
    profanity_score = NumberAttribute(null=True, attr_name="profanityScore")
    reviewed_at = TimestampAttribute(null=True, attr_name="reviewedAt")

    def index_keys(self) -> Iterator[IndexKey]:
        created_at = self.created_at
        yield from keys.COMMENTS_OF_AUTHOR.place(user=self.user_id, created_at=created_at)
        yield from keys.COMMENTS_BY_STATUS.place(status=self.status, created_at=created_at)
        yield from keys.COMMENTS_OF_POST.place(post=self.key_parts["post"], status=self.status, created_at=created_at)
        score = score_in_key(self.status, self.profanity_score, self.reviewed_at)
        yield from keys.COMMENTS_TO_REVIEW.place(score=score, created_at=created_at)


class ModerationEntry(Item):
    """A moderator, or the filter, did something to a post or a comment."""

    pattern = keys.MODERATION
    editable = False

    action = UnicodeAttribute(null=True)
    target_type = UnicodeAttribute(null=True, attr_name="targetType")
    target_id = UnicodeAttribute(null=True, attr_name="targetId")
    reason = UnicodeAttribute(null=True)
    admin_id = UnicodeAttribute(null=True, attr_name="adminId")
    original_content = UnicodeAttribute(null=True, attr_name="originalContent")
    metadata = PlainMapAttribute(null=True)
    operation = UnicodeAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        at = self.key_parts["at"]
        yield from keys.MODERATION_OF_TARGET.place(target=self.target_id, at=at)
        yield from keys.MODERATION_BY.place(admin=self.key_parts["admin"], at=at)
        yield from keys.MODERATION_OF_AUTHOR.place(user=self.author_id, at=at)
        yield from keys.MODERATION_OF_OPERATION.place(operation=self.operation, at=at)
        yield from keys.MODERATION_BY_ACTION.place(action=self.action, at=at)

    @property
    def author_id(self) -> str | None:
        """Whose post or comment it was."""
        found = (self.metadata or {}).get("userId")
        return found if isinstance(found, str) else None


class ModerationDay(Item):
    """How much of what was done on a day."""

    pattern = keys.MODERATION_DAY
    editable = False

    counts = PlainMapAttribute(null=True)


class Presence(Item):
    """What a colleague has open."""

    pattern = keys.PRESENCE
    editable = False

    name = UnicodeAttribute(null=True)
    target = UnicodeAttribute(null=True)
