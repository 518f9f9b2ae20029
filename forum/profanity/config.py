"""A filter: words, allowed words, and the score from which a text is banned."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from dashboard.table.nested import StoredMap, members_of, number_of, text_of, texts_in
from forum.profanity.matcher import Matcher
from forum.profanity.scoring import score
from forum.profanity.types import Match, Matching, Severity, Word

THRESHOLD = 0.8

Level = TypeVar("Level", Severity, Matching)
_SEVERITIES = {each.value: each for each in Severity}
_MATCHINGS = {each.value: each for each in Matching}


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    """The result of a filter for a text."""

    matches: tuple[Match, ...]
    score: float
    banned: bool

    @property
    def waits(self) -> bool:
        """Whether a person has to review the text."""
        return bool(self.matches) and not self.banned


@dataclass(frozen=True, eq=False)
class FilterConfig:
    """Two configs are equal if their digests are."""

    words: tuple[Word, ...] = ()
    allowed: tuple[str, ...] = ()
    threshold: float = THRESHOLD

    @cached_property
    def digest(self) -> str:
        """The hash of the normalized body."""
        body = json.dumps(self.to_body(), ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(body.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FilterConfig) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def matcher(self) -> Matcher:
        return compiled(self)

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> FilterConfig:
        """Read a stored body. Invalid values are skipped or replaced by the default."""
        severity, matching = StoredMap.of(body.get("severity")), StoredMap.of(body.get("matching"))
        words = tuple(
            Word(
                text,
                _level(_SEVERITIES, severity.get(text), Severity.MEDIUM),
                _level(_MATCHINGS, matching.get(text), Matching.WHOLE),
            )
            for text in _texts(body.get("blacklist"))
        )
        return cls(words, tuple(_texts(body.get("allowlist"))), _threshold(body.get("autoModerationThreshold")))

    def to_body(self) -> dict[str, Any]:
        """The body in the seed's format; `matching` has only values that differ from the default."""
        return {
            "blacklist": [word.text for word in self.words],
            "severity": {word.text: word.severity.value for word in self.words},
            "matching": {word.text: "inside" for word in self.words if word.matching is Matching.INSIDE},
            "allowlist": list(self.allowed),
            "autoModerationThreshold": self.threshold,
        }

    def judge(self, text: str) -> FilterVerdict:
        """The matches, the score, and whether the text is banned."""
        matches = self.matcher.find(text)
        if not matches:
            return CLEAN
        result = score(matches)
        return FilterVerdict(tuple(matches), result, result >= self.threshold)


CLEAN = FilterVerdict((), 0.0, False)


@lru_cache(maxsize=32)
def compiled(config: FilterConfig) -> Matcher:
    """The compiled list. Cached by digest."""
    return Matcher(config.words, config.allowed)


def _texts(value: Any) -> dict[str, None]:
    """The texts without duplicates, in their order."""
    return dict.fromkeys(text for text in texts_in(members_of(value)) if text.strip())


def _level(known: Mapping[str, Level], value: Any, default: Level) -> Level:
    """The level with this name. The exact name is tried first: a page reads thousands of levels."""
    name = text_of(value) or ""
    return known.get(name) or known.get(name.strip().lower()) or default


def _threshold(value: Any) -> float:
    try:
        number = float(THRESHOLD if (found := number_of(value)) is None else found)
    except (ValueError, OverflowError):
        return THRESHOLD
    return min(max(number, 0.0), 1.0) if math.isfinite(number) else THRESHOLD
