"""What matches add up to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forum.profanity import Match, Severity, explain, score
from forum.profanity.scoring import ScorePart

HIGH, MEDIUM, LOW = Severity.HIGH, Severity.MEDIUM, Severity.LOW
severities = st.lists(st.sampled_from(Severity), max_size=60)


def matches(*severities: Severity) -> list[Match]:
    return [Match(at, at + 1, "x", severity) for at, severity in enumerate(severities)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], 0.0),
        ([LOW], 0.2),
        ([MEDIUM], 0.5),
        ([HIGH], 0.8),
        ([MEDIUM, MEDIUM], 0.75),
        ([MEDIUM, MEDIUM, MEDIUM], 0.875),
        ([LOW, LOW], 0.36),
        ([HIGH, MEDIUM, LOW], 0.92),
        ([HIGH] * 100, 1.0),
    ],
)
def test_score(found: list[Severity], expected: float) -> None:
    assert score(matches(*found)) == expected


@given(severities, st.sampled_from(Severity))
def test_more_is_never_less(found: list[Severity], another: Severity) -> None:
    before, after = score(matches(*found)), score(matches(*found, another))
    assert 0 <= before <= after <= 1
    # Rounded to nine decimals, there is an end to it.
    assert before < after or after > 0.99999999


@given(severities)
def test_worse_is_never_less(found: list[Severity]) -> None:
    assert score(matches(*found, LOW)) <= score(matches(*found, MEDIUM)) <= score(matches(*found, HIGH))


@given(severities)
def test_the_order_does_not_matter(found: list[Severity]) -> None:
    assert score(matches(*found)) == score(matches(*reversed(found)))


def test_explains_the_number_worst_first() -> None:
    explained = explain(matches(LOW, HIGH, LOW))
    assert explained.parts == (ScorePart(1, HIGH, 0.8), ScorePart(2, LOW, 0.2))
    assert explained.score == score(matches(LOW, HIGH, LOW)) == 0.872


@given(severities)
def test_the_parts_make_the_score(found: list[Severity]) -> None:
    explained = explain(matches(*found))
    product = math.prod((1 - part.weight) ** part.count for part in explained.parts)
    assert explained.score == pytest.approx(1 - product, abs=1e-8)
    assert sum(part.count for part in explained.parts) == len(found)
