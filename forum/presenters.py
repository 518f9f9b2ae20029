"""The filter's lists as a page shows them: what is saved, with what the person is about to change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dashboard.core.names import folded
from dashboard.platform.configs.queries import ConfigState
from forum.configs.profanity import ALLOWED, MATCHINGS, SEVERITIES, WORD, word_of
from forum.profanity import FilterConfig, Match, Matching, Severity, Verdict, explain
from forum.word_rules import sorted_as

PAGE = 100
LEVELS = {Severity.HIGH: "bad", Severity.MEDIUM: "warn", Severity.LOW: "info"}


@dataclass(frozen=True)
class WordRow:
    """A word of a list: as the person would have it, and how it differs from what is saved."""

    name: str
    text: str
    severity: Severity | None = None
    matching: Matching | None = None
    state: str = ""
    # Someone else has changed it, too.
    is_met: bool = False

    @property
    def level(self) -> str:
        return LEVELS[self.severity] if self.severity else ""

    @property
    def severity_label(self) -> str:
        return str(SEVERITIES[self.severity]) if self.severity else ""

    @property
    def matching_label(self) -> str:
        return str(MATCHINGS[self.matching]) if self.matching else ""

    @property
    def is_inside(self) -> bool:
        return self.matching is Matching.INSIDE


@dataclass(frozen=True)
class WordlistParams:
    """What of a list is asked for."""

    q: str = ""
    severity: str = ""
    matching: str = ""
    only_changes: bool = False


def names(at: ConfigState, prefixes: tuple[str, ...], wish: WordlistParams) -> list[str]:
    """The entries of a list that are asked for, in the order of the alphabet: thousands, so nothing is made of each."""
    every = at.changes if wish.only_changes else {**at.saved, **at.wanted}
    found = [name for name in every if name.startswith(prefixes)]
    if wish.severity or wish.matching:
        found = [name for name in found if _is_wanted(value_of(at, name), wish)]
    if q := folded(wish.q):
        found = [name for name in found if q in sorted_as(text_of(name))]
    return sorted(found, key=_place)


def _is_wanted(value: Any, wish: WordlistParams) -> bool:
    severity, matching = value
    return wish.severity in ("", severity) and wish.matching in ("", matching)


def value_of(at: ConfigState, name: str) -> Any:
    """As the person would have it; as it is saved where they take it out."""
    return at.wanted.get(name) or at.saved.get(name)


def text_of(name: str) -> str:
    """The word that an entry is about."""
    return name.partition(":")[2]


def _place(name: str) -> tuple[str, str]:
    return sorted_as(text_of(name)), name


def page_of(at: ConfigState, found: list[str], after: str) -> tuple[list[WordRow], str | None]:
    """The rows that follow an entry, and the entry that the next page follows."""
    left = [name for name in found if _place(name) > _place(after)] if after else found
    met = {each.name for each in at.merged.overlaps}
    return [_row(at, name, met) for name in left[:PAGE]], left[PAGE - 1] if len(left) > PAGE else None


def _row(at: ConfigState, name: str, met: set[str]) -> WordRow:
    change = at.changes.get(name)
    state, is_met = change.verb if change else "", name in met
    if name.startswith(ALLOWED):
        return WordRow(name, text_of(name), state=state, is_met=is_met)
    word = word_of(name, value_of(at, name))
    return WordRow(name, word.text, word.severity, word.matching, state, is_met)


def words_of(at: ConfigState) -> list[str]:
    """The words of the list as the person would have it."""
    return [text_of(name) for name in at.wanted if name.startswith(WORD)]


@dataclass(frozen=True)
class Piece:
    """A stretch of a text, with the word that was found there."""

    text: str
    word: str = ""
    level: str = ""
    severity: str = ""


@dataclass(frozen=True)
class Trial:
    """What a filter says about a text, to be explained."""

    verdict: Verdict
    pieces: list[Piece]
    threshold: float

    @property
    def parts(self) -> list[dict[str, Any]]:
        found = explain(self.verdict.matches).parts
        # As the calculation beside it writes numbers, in every language.
        return [{"count": p.count, "label": SEVERITIES[p.severity], "weight": f"{p.weight:g}"} for p in found]

    @property
    def sum(self) -> str:
        """The calculation itself: 1 − (1 − 0.8) × (1 − 0.5)² = 0.95"""
        found = explain(self.verdict.matches).parts
        factors = " × ".join(f"(1 − {part.weight:g}){_power(part.count)}" for part in found)
        return f"1 − {factors} = {self.score}" if factors else ""

    @property
    def score(self) -> str:
        return f"{self.verdict.score:.3f}".rstrip("0").rstrip(".")

    @property
    def limit(self) -> str:
        return f"{self.threshold:g}"


def _power(count: int) -> str:
    return "" if count == 1 else str(count).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def tried(config: FilterConfig, text: str) -> Trial:
    verdict = config.judge(text)
    return Trial(verdict, list(pieces(text, verdict.matches)), config.threshold)


def pieces(text: str, matches: Sequence[Match]) -> Iterable[Piece]:
    """A text in stretches, those that were found among them."""
    edges = [0, *(edge for match in matches for edge in (match.start, match.end)), len(text)]
    between = [Piece(text[start:end]) for start, end in list(pairwise(edges))[::2]]
    for plain, match in zip(between, [*matches, None], strict=True):
        if plain.text:
            yield plain
        if match:
            label = str(SEVERITIES[match.severity])
            yield Piece(text[match.start : match.end], match.word, LEVELS[match.severity], label)
