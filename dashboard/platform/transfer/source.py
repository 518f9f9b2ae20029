"""The lines of a file, plain or gzip, from any position on."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self

GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
# An item of 400 KB is far below this, even with every character escaped.
MAX_LINE = 16 * 1024 * 1024
HEAD = 64 * 1024


class BrokenFile(Exception):
    """The file cannot be read any further."""


class SourceLine(NamedTuple):
    number: int
    # Where the next line starts, in the text without compression.
    end: int
    # None where the line is longer than any item.
    text: bytes | None


class Source:
    """The lines of a file. Its first bytes show whether it is compressed."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("rb")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise BrokenFile(f"{path} is being imported already.") from None
        compressed = self._file.read(2) == GZIP
        self._file.seek(0)
        self._text: BinaryIO = self._file
        if compressed:
            self._text = io.BufferedReader(gzip.GzipFile(fileobj=self._file), 256 * 1024)
        self.size = os.fstat(self._file.fileno()).st_size

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._file.close()

    @property
    def identity(self) -> dict[str, int | str]:
        """Identifies the file and its content."""
        about = os.fstat(self._file.fileno())
        head = os.pread(self._file.fileno(), HEAD, 0)
        return {"size": about.st_size, "changed": about.st_mtime_ns, "head": hashlib.sha256(head).hexdigest()}

    @property
    def done(self) -> int:
        """The number of bytes of the file that have been read."""
        return self._file.tell()

    def lines(self, number: int = 0, end: int = 0) -> Iterator[SourceLine]:
        """The lines after line `number`, which ends at position `end`."""
        try:
            self._text.seek(end)
            while text := self._text.readline(MAX_LINE):
                number, end = number + 1, end + len(text)
                content: bytes | None = text.removeprefix(BOM) if number == 1 else text
                while len(text) == MAX_LINE and not text.endswith(b"\n"):
                    content, text = None, self._text.readline(MAX_LINE)
                    end += len(text)
                yield SourceLine(number, end, content)
        except (EOFError, OSError, zlib.error) as error:
            raise BrokenFile(f"The file cannot be read beyond line {number}: {error}") from error
