"""The kinds of the library and their items in a path."""

from __future__ import annotations

from content.library.kinds import LIBRARY


class _TextConverter:
    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class LibraryConverter(_TextConverter):
    """A kind: `products`, `signals`."""

    regex = "|".join(LIBRARY)


class LibraryItemConverter(_TextConverter):
    """An id, as outside writers make them."""

    regex = "(?!new/)[^/#]{1,300}"
