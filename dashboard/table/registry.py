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
    question: str, *key_patterns: Pattern | IndexPattern, partition: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a read with its question and the key patterns that it uses; none for a read at any key.

    `partition` marks a read of several items of a partition of the table, not of one item.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__}.{function.__name__}"
        indexes = dict.fromkeys(each.index if isinstance(each, IndexPattern) else "table" for each in key_patterns)
        conditions = " or ".join(_condition(each, partition) for each in key_patterns)
        PATTERNS[name] = AccessPattern(question, ", ".join(indexes) or "table", conditions or "`<PK>` / `<SK>`", name)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            with oplog.attributed_to(name):
                return function(*args, **kwargs)

        return call

    return register


def _condition(key_pattern: Pattern | IndexPattern, partition: bool) -> str:
    if isinstance(key_pattern, Pattern) and not partition:
        return f"`{key_pattern.pk}` / `{key_pattern.sk}`"
    return f"`{key_pattern.pk}`, by `{key_pattern.sk}`"
