"""Progress of a command: a bar on a terminal, or lines at intervals."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 5.0


class Progress:
    """Prints the progress. The stream is that of a command, which adds line ends itself."""

    def __init__(self, stream: Any, *, total: int | None, of: str, prints_lines: bool) -> None:
        self._stream, self._total, self._of = stream, total, of
        self._bar = self._next_line = None
        if stream.isatty():
            self._bar = tqdm(total=total, unit=of, unit_scale=True, dynamic_ncols=True)
        elif prints_lines:
            self._next_line = time.monotonic() + SECONDS_BETWEEN_LINES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()

    def reach(self, done: int, note: str) -> None:
        """Show the progress; `note` is the text next to it."""
        if self._bar is not None:
            self._bar.set_postfix_str(note, refresh=False)
            self._bar.update(max(0, done - self._bar.n))
        elif self._next_line is not None and time.monotonic() >= self._next_line:
            share = f"{done / self._total:.0%} " if self._total else ""
            self._stream.write(f"{share}{note}")
            self._stream.flush()
            self._next_line = time.monotonic() + SECONDS_BETWEEN_LINES
