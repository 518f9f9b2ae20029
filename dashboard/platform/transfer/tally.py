"""The counts of an import, which are stored in its checkpoint."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dashboard.core.names import printable
from dashboard.platform.transfer.batch_writes import BatchProblem, Entry
from dashboard.platform.transfer.private_files import open_private

MAX_PROBLEMS = 20


@dataclass
class Round:
    """Lines that are written together, as items by key: of two with the same key the later one counts."""

    line: int
    end: int
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    problems: list[BatchProblem] = field(default_factory=list)
    items: int = 0
    computed: int = 0
    differing: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    # The error after which the file cannot be read further.
    broken: Exception | None = None


@dataclass
class Tally:
    line: int = 0
    end: int = 0
    written: int = 0
    # Lines that a later one with the same key replaced before they were written.
    replaced: int = 0
    computed: int = 0
    differing: int = 0
    bad: int = 0
    # The number of items of each kind, and of each kind without a class.
    kinds: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    problems: list[BatchProblem] = field(default_factory=list)
    errors_end: int = 0

    @classmethod
    def of(cls, state: dict[str, Any] | None) -> Tally:
        tally = cls(**(state or {}))
        tally.problems = [BatchProblem(*each) for each in tally.problems]
        return tally

    def state(self) -> dict[str, Any]:
        return asdict(self) | {"problems": [list(each) for each in self.problems]}

    def add(self, done: Round, refused: list[BatchProblem]) -> list[BatchProblem]:
        """Count a confirmed round; returns its problems in the order of the file."""
        problems = sorted(done.problems + refused)
        self.line, self.end = done.line, done.end
        self.written += len(done.entries) - len(refused)
        self.replaced += done.items - len(done.entries)
        self.computed += done.computed
        self.differing += done.differing
        self.bad += len(problems)
        self.kinds = dict(Counter(self.kinds) + done.kinds)
        self.unknown = dict(Counter(self.unknown) + done.unknown)
        self.problems += problems[: MAX_PROBLEMS - len(self.problems)]
        return problems


class ErrorFile:
    """A file with one line per problem. It is continued at the position in the checkpoint."""

    def __init__(self, path: Path, end: int) -> None:
        self._file = open_private(path, "r+b" if end and path.exists() else "wb")
        self._file.truncate(end)
        self._file.seek(0, os.SEEK_END)

    def add(self, problems: list[BatchProblem]) -> int:
        self._file.writelines(f"{line}\t{printable(' '.join(reason.split()))}\n".encode() for line, reason in problems)
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
