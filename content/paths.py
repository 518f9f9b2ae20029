"""The kinds of the library, their items and public files in a path."""

from __future__ import annotations

from content.library.shop_kinds import ALL_KINDS
from content.media_files import NAME


class _TextConverter:
    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class LibraryConverter(_TextConverter):
    """A kind: `products`, `signals`."""

    regex = "|".join(ALL_KINDS)


class LibraryItemConverter(_TextConverter):
    """An id, as outside writers make them. That of a copy or a review has several parts."""

    regex = "(?!new/)[^/]{1,300}"


class MediaFileConverter(_TextConverter):
    """The name of a public file."""

    regex = NAME
