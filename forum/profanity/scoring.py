"""What matches add up to, in [0, 1]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forum.profanity.types import Match, Severity

# One high reaches the usual threshold of 0.8 alone, mediums do so together (three), lows only in a crowd (eight).
WEIGHTS = {Severity.HIGH: 0.8, Severity.MEDIUM: 0.5, Severity.LOW: 0.2}
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Part:
    """How many words of a severity were found and what each weighs."""

    count: int
    severity: Severity
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The score is 1 - Π (1 - weight) ^ count over the parts, worst first."""

    parts: tuple[Part, ...]
    score: float


def score(matches: Iterable[Match]) -> float:
    """1 - Π (1 - weight): every match takes its share of what was still clean, so more and worse is higher."""
    found = [match.severity for match in matches]
    clean = 1.0
    if found:
        # By severity and not as they come: the order must not matter, not even in the last decimal.
        for severity, weight in WEIGHTS.items():
            clean *= (1.0 - weight) ** found.count(severity)
    return round(1.0 - clean, DECIMALS)


def explain(matches: Iterable[Match]) -> Explanation:
    """The numbers behind a score, for a line that says them."""
    matches = list(matches)
    parts = tuple(
        Part(count, severity, weight)
        for severity, weight in WEIGHTS.items()
        if (count := sum(match.severity is severity for match in matches))
    )
    return Explanation(parts, score(matches))
