"""What identifies a comment on a page: the page, the time, and an id where several have the same time."""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from dashboard.core.errors import NotFound
from dashboard.table import keys
from dashboard.table.keypattern import BadKey, Key

# The kind of the audit entries of comments.
COMMENT = "page_comment"
# No part of a key that a service writes contains it.
_SEPARATOR = "\n"


class CommentRef(NamedTuple):
    page: str
    at: str
    id: str = ""

    def key(self, business: str) -> Key:
        try:
            return keys.PAGE_COMMENT.key(tenant=business, page=self.page, at=self.at, id=self.id)
        except BadKey:
            raise NotFound from None

    @property
    def target(self) -> str:
        """The target of its audit entries."""
        return f"{COMMENT}:{self.token}"

    @property
    def token(self) -> str:
        """Its form in addresses and forms: the parts may contain any character."""
        return encode_text(_SEPARATOR.join(self))

    @classmethod
    def of_token(cls, token: str) -> CommentRef:
        """Raises ValueError for a text that is no token."""
        parts = decode_text(token).split(_SEPARATOR)
        if len(parts) != 3 or not parts[0] or not parts[1]:
            raise ValueError(token)
        return cls(*parts)


def encode_text(text: str) -> str:
    """Any text as letters, digits, `-` and `_`."""
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_text(token: str) -> str:
    """The text of a token. Raises ValueError for any other text."""
    try:
        text = base64.urlsafe_b64decode(token.encode() + b"=" * (-len(token) % 4)).decode()
    except (binascii.Error, UnicodeError) as error:
        raise ValueError(token) from error
    if not text or encode_text(text) != token:
        raise ValueError(token)
    return text
