"""A filter as it is stored: the words, what is always let through, and from which score a text is banned."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from forum.profanity.matcher import Matcher
from forum.profanity.scoring import score
from forum.profanity.types import Match, Matching, Severity, Word

THRESHOLD = 0.8

Level = TypeVar("Level", Severity, Matching)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a filter says about a text."""

    matches: tuple[Match, ...]
    score: float
    banned: bool


@dataclass(frozen=True, eq=False)
class FilterConfig:
    """Equal to every other of the same digest."""

    words: tuple[Word, ...] = ()
    allowed: tuple[str, ...] = ()
    threshold: float = THRESHOLD

    @cached_property
    def digest(self) -> str:
        """The same for what matches and bans the same, whoever wrote it."""
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
        """Of what is stored, whoever wrote it: what makes no sense is skipped or means the default."""
        severity, matching = _map(body.get("severity")), _map(body.get("matching"))
        words = tuple(
            Word(
                text,
                _level(Severity, severity.get(text), Severity.MEDIUM),
                _level(Matching, matching.get(text), Matching.WHOLE),
            )
            for text in _texts(body.get("blacklist"))
        )
        return cls(words, tuple(_texts(body.get("allowlist"))), _threshold(body.get("autoModerationThreshold")))

    def to_body(self) -> dict[str, Any]:
        """The seed's shape, and with it only what differs from the default."""
        return {
            "blacklist": [word.text for word in self.words],
            "severity": {word.text: word.severity.value for word in self.words},
            "matching": {word.text: "inside" for word in self.words if word.matching is Matching.INSIDE},
            "allowlist": list(self.allowed),
            "autoModerationThreshold": self.threshold,
        }

    def judge(self, text: str) -> Verdict:
        """What is found in the text, what it adds up to, and whether that is too much."""
        matches = self.matcher.find(text)
        if not matches:
            return CLEAN
        result = score(matches)
        return Verdict(tuple(matches), result, result >= self.threshold)


CLEAN = Verdict((), 0.0, False)


@lru_cache(maxsize=32)
def compiled(config: FilterConfig) -> Matcher:
    """The list ready to match, made once for all configs of the same digest."""
    return Matcher(config.words, config.allowed)


def _map(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _texts(value: Any) -> Iterator[str]:
    """Each text once, in its order; a set, which has none, by the alphabet."""
    if isinstance(value, Set):
        value = sorted(value, key=str)
    elif not isinstance(value, Sequence) or isinstance(value, str | bytes):
        value = ()
    return iter(dict.fromkeys(text for text in value if isinstance(text, str) and text.strip()))


def _level(kind: type[Level], value: Any, default: Level) -> Level:
    try:
        return kind(value.strip().lower())
    except (AttributeError, ValueError):
        return default


def _threshold(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return THRESHOLD
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return THRESHOLD
    return min(max(number, 0.0), 1.0) if math.isfinite(number) else THRESHOLD
