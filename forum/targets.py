"""The target of an action: a post or a comment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote

from dashboard.core.errors import NotFound
from dashboard.table import keys
from dashboard.table.keypattern import BadKey, Key
from forum.items import Comment, Post

# Separates the ids of post and comment in a path. Our ids do not contain it.
SEPARATOR = "/"


class TargetKind(StrEnum):
    POST = "post"
    COMMENT = "comment"


@dataclass(frozen=True)
class ForumTarget:
    post: str
    comment: str = ""

    @classmethod
    def of(cls, item: Post | Comment) -> ForumTarget:
        """Without ids if an outside writer's key does not match our pattern: it can only be viewed."""
        parts = item.key_parts
        return cls(str(parts.get("post", "")), str(parts.get("comment", "")))

    @classmethod
    def from_path(cls, path: str) -> ForumTarget:
        """From a `path`, which may be invalid."""
        post, _, comment = path.partition(SEPARATOR)
        return cls(post, comment)

    @classmethod
    def from_selection_id(cls, text: str) -> ForumTarget:
        """From a `selection_id`, which may be invalid."""
        post, _, comment = text.partition(SEPARATOR)
        return cls(unquote(post), unquote(comment))

    @property
    def path(self) -> str:
        """The id of the post, for a comment followed by its own: `p1/c1`."""
        return f"{self.post}{SEPARATOR}{self.comment}" if self.comment else self.post

    @property
    def selection_id(self) -> str:
        """Its path in a selection, quoted: ids of outside writers may contain spaces and the separator."""
        return SEPARATOR.join(quote(each, safe="") for each in (self.post, self.comment) if each)

    @property
    def id(self) -> str:
        """The id in the log."""
        return self.comment or self.post

    @property
    def kind(self) -> TargetKind:
        return TargetKind.COMMENT if self.comment else TargetKind.POST

    @property
    def key(self) -> Key:
        return self._key(keys.COMMENT.key, post=self.post, comment=self.comment) if self.comment else self.post_key

    @property
    def post_key(self) -> Key:
        return self._key(keys.POST.key, post=self.post)

    @property
    def decision_key(self) -> Key:
        """The key of the last decision about it."""
        return self._key(keys.DECISION.key, post=self.post, comment=self.comment)

    @staticmethod
    def _key(make: Callable[..., Key], **parts: str) -> Key:
        try:
            return make(**parts)
        except BadKey:
            raise NotFound from None
