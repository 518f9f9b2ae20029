"""Counts the items of the table by kind and by problem, while `reindex` reads all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dashboard.platform.table_health.problems import ItemProblem, ProblemReason, files_of, problems_of
from dashboard.table import keys, schema
from dashboard.table.items import Raw, key_of

MAX_EXAMPLES = 10
# More unknown kinds than this are counted together. Keys of outside writers can be arbitrary.
MAX_UNKNOWN_KINDS = 100
OTHERS = "…"
# At most this many files are looked up.
MAX_FILES = 1000
# A longer key or detail is not stored: the report is one item, and has to stay far below 400 KB.
MAX_TEXT = 300

State = dict[str, Any]


@dataclass
class Census:
    """The counts so far. They are plain values, so that a checkpoint can store them."""

    kinds: dict[str, int] = field(default_factory=dict)
    # By kind: the count, and the key of one item.
    unknown_kinds: dict[str, State] = field(default_factory=dict)
    # By reason: the count, and some items with their keys.
    problems: dict[str, State] = field(default_factory=dict)
    # By the id of a file: the key of an item that refers to it.
    files: dict[str, State] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.kinds.values()) + sum(int(each["count"]) for each in self.unknown_kinds.values())

    def add(self, raw: Raw, indexes: tuple[schema.Index, ...] = schema.INDEXES, *, failure: str = "") -> None:
        """Count an item as it was before its index keys were corrected; `failure` says why they were not."""
        key = key_of(raw)
        kind = keys.kind_of(key)
        if kind is not None:
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        else:
            self._add_unknown(keys.name_of_unknown_kind(key), raw)
        problems = list(problems_of(raw, indexes))
        if failure and not any(problem.reason == ProblemReason.NOT_COMPUTABLE for problem in problems):
            problems = [
                each for each in problems if each.reason not in {ProblemReason.MISSING_KEYS, ProblemReason.WRONG_KEYS}
            ]
            problems.append(ItemProblem(ProblemReason.NOT_WRITTEN, failure.partition(": ")[2] or failure))
        for problem in problems:
            self._add_problem(raw, problem.reason, problem.detail)
        for file in files_of(raw):
            if len(self.files) < MAX_FILES and (example := _example(raw)):
                self.files.setdefault(file, example)

    def look_up_files(self, exists: Callable[[str], bool]) -> None:
        """Add a problem for each file that items refer to and that does not exist."""
        for file, key in self.files.items():
            if not exists(file):
                raw = {schema.PK: {"S": key["pk"]}, schema.SK: {"S": key["sk"]}}
                self._add_problem(raw, ProblemReason.UNKNOWN_FILE, file)

    def _add_problem(self, raw: Raw, reason: ProblemReason, detail: str) -> None:
        found = self.problems.setdefault(reason.value, {"count": 0, "examples": []})
        found["count"] += 1
        if len(found["examples"]) < MAX_EXAMPLES and (example := _example(raw)):
            found["examples"].append(example | {"detail": detail[:MAX_TEXT]})

    def _add_unknown(self, name: str, raw: Raw) -> None:
        if name not in self.unknown_kinds and len(self.unknown_kinds) >= MAX_UNKNOWN_KINDS:
            name = OTHERS
        found = self.unknown_kinds.setdefault(name, {"count": 0} | _example(raw))
        found["count"] += 1

    def state(self) -> State:
        return dict(vars(self))


def _example(raw: Raw) -> State:
    """The key of an item, unless it is so long that many would not fit into one item."""
    pk, sk = key_of(raw)
    return {"pk": pk, "sk": sk} if len(pk) + len(sk) <= MAX_TEXT else {}
