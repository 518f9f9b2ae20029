"""The registry of access patterns: every read of the table."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from dashboard.table import oplog
from dashboard.table.keypattern import IndexPattern, Pattern

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class AccessPattern:
    question: str
    index: str
    condition: str
    function: str


PATTERNS: dict[str, AccessPattern] = {}


def access_pattern(
    question: str, *where: Pattern | IndexPattern, partition: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a read with its question and the key patterns that it uses.

    `partition` marks a read of several items of a partition of the table, not of one item.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__}.{function.__name__}"
        indexes = dict.fromkeys(w.index if isinstance(w, IndexPattern) else "table" for w in where)
        conditions = " or ".join(_condition(w, partition) for w in where)
        PATTERNS[name] = AccessPattern(question, ", ".join(indexes), conditions, name)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            with oplog.attributed_to(name):
                return function(*args, **kwargs)

        return call

    return register


def _condition(where: Pattern | IndexPattern, partition: bool) -> str:
    if isinstance(where, Pattern) and not partition:
        return f"`{where.pk}` / `{where.sk}`"
    return f"`{where.pk}`, by `{where.sk}`"
