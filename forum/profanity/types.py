"""Types of the filter: words and matches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Matching(StrEnum):
    """A whole word, or also inside other words."""

    WHOLE = "whole"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Word:
    """An entry of the list; a phrase has white space between its words."""

    text: str
    severity: Severity = Severity.MEDIUM
    matching: Matching = Matching.WHOLE


@dataclass(frozen=True, slots=True)
class Match:
    """A word found in a text, at text[start:end]."""

    start: int
    end: int
    word: str
    severity: Severity
