"""What a moderator decides about: a post, or a comment below one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote

from dashboard.core.errors import NotFound
from dashboard.table import keys
from dashboard.table.keypattern import BadKey, Key
from forum.items import Comment, Post

# Between the two ids where a comment has one name. No id of ours has it.
BETWEEN = "/"


class Kind(StrEnum):
    POST = "post"
    COMMENT = "comment"


@dataclass(frozen=True)
class Target:
    post: str
    comment: str = ""

    @classmethod
    def of(cls, item: Post | Comment) -> Target:
        """Without a name where another service's key is none of ours: it can be looked at, and no more."""
        parts = item.key_parts
        return cls(str(parts.get("post", "")), str(parts.get("comment", "")))

    @classmethod
    def named(cls, name: str) -> Target:
        """As `name` has it, whoever sent it."""
        post, _, comment = name.partition(BETWEEN)
        return cls(post, comment)

    @classmethod
    def picked(cls, text: str) -> Target:
        """As `pick` has it, whoever sent it."""
        post, _, comment = text.partition(BETWEEN)
        return cls(unquote(post), unquote(comment))

    @property
    def name(self) -> str:
        return f"{self.post}{BETWEEN}{self.comment}" if self.comment else self.post

    @property
    def pick(self) -> str:
        """Its name in a list of several: other services' ids may have spaces, and what stands between ours."""
        return BETWEEN.join(quote(each, safe="") for each in (self.post, self.comment) if each)

    @property
    def id(self) -> str:
        """As the log names it."""
        return self.comment or self.post

    @property
    def kind(self) -> Kind:
        return Kind.COMMENT if self.comment else Kind.POST

    @property
    def key(self) -> Key:
        return self._key(keys.COMMENT.key, post=self.post, comment=self.comment) if self.comment else self.post_key

    @property
    def post_key(self) -> Key:
        return self._key(keys.POST.key, post=self.post)

    @staticmethod
    def _key(make: Callable[..., Key], **parts: str) -> Key:
        try:
            return make(**parts)
        except BadKey:
            raise NotFound from None
