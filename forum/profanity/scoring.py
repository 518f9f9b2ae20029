"""The score of a list of matches, from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forum.profanity.types import Match, Severity

# One high word, three medium or eight low ones reach the default threshold of 0.8.
WEIGHTS = {Severity.HIGH: 0.8, Severity.MEDIUM: 0.5, Severity.LOW: 0.2}
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class ScorePart:
    """The number of matches of a severity, and the weight of each."""

    count: int
    severity: Severity
    weight: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The score is 1 - Π (1 - weight) ^ count over the parts, worst first."""

    parts: tuple[ScorePart, ...]
    score: float


def score(matches: Iterable[Match]) -> float:
    """1 - Π (1 - weight) over all matches: more and worse words score higher."""
    severities = [match.severity for match in matches]
    clean = 1.0
    if severities:
        # Multiplied by severity, so that the order of the matches does not change the last decimal.
        for severity, weight in WEIGHTS.items():
            clean *= (1.0 - weight) ** severities.count(severity)
    return round(1.0 - clean, DECIMALS)


def explain(matches: Iterable[Match]) -> Explanation:
    """The numbers that a score is computed from."""
    matches = list(matches)
    parts = tuple(
        ScorePart(count, severity, weight)
        for severity, weight in WEIGHTS.items()
        if (count := sum(match.severity is severity for match in matches))
    )
    return Explanation(parts, score(matches))
