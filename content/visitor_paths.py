"""Comments and e-mail addresses in a path. Their texts may contain any character, so they are encoded."""

from __future__ import annotations

from content.comment_refs import CommentRef, decode_text, encode_text

# The sort key of an item has 1,024 bytes at most.
_ENCODED = "[A-Za-z0-9_-]{2,1400}"


class CommentConverter:
    """A comment on a page."""

    regex = _ENCODED

    def to_python(self, value: str) -> CommentRef:
        return CommentRef.of_token(value)

    def to_url(self, value: CommentRef | str) -> str:
        return value.token if isinstance(value, CommentRef) else value


class EncodedConverter:
    """An e-mail address, or another id of a visitor."""

    regex = _ENCODED

    def to_python(self, value: str) -> str:
        return decode_text(value)

    def to_url(self, value: str) -> str:
        if not value:
            raise ValueError("an empty id has no page")
        return encode_text(value)
