"""The score of a text, calculated from its matches."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forum.profanity import Match, Severity, explain, score
from forum.profanity.scoring import ScorePart

HIGH, MEDIUM, LOW = Severity.HIGH, Severity.MEDIUM, Severity.LOW
severities = st.lists(st.sampled_from(Severity), max_size=60)


def matches_with(*severities: Severity) -> list[Match]:
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
def test_the_score_of_some_matches(found: list[Severity], expected: float) -> None:
    assert score(matches_with(*found)) == expected


@given(severities, st.sampled_from(Severity))
def test_one_more_match_never_lowers_the_score(found: list[Severity], another: Severity) -> None:
    before, after = score(matches_with(*found)), score(matches_with(*found, another))
    assert 0 <= before <= after <= 1
    # The score is rounded to nine decimals, so that it stops growing near 1.
    assert before < after or after > 0.99999999


@given(severities)
def test_a_higher_severity_never_lowers_the_score(found: list[Severity]) -> None:
    assert score(matches_with(*found, LOW)) <= score(matches_with(*found, MEDIUM)) <= score(matches_with(*found, HIGH))


@given(severities)
def test_the_order_of_the_matches_does_not_matter(found: list[Severity]) -> None:
    assert score(matches_with(*found)) == score(matches_with(*reversed(found)))


def test_the_explanation_starts_with_the_highest_severity() -> None:
    explained = explain(matches_with(LOW, HIGH, LOW))
    assert explained.parts == (ScorePart(1, HIGH, 0.8), ScorePart(2, LOW, 0.2))
    assert explained.score == score(matches_with(LOW, HIGH, LOW)) == 0.872


@given(severities)
def test_the_parts_of_the_explanation_give_the_score(found: list[Severity]) -> None:
    explained = explain(matches_with(*found))
    product = math.prod((1 - part.weight) ** part.count for part in explained.parts)
    assert explained.score == pytest.approx(1 - product, abs=1e-8)
    assert sum(part.count for part in explained.parts) == len(found)
