"""Presenters for the filter's word lists, and for a text that was tried on the filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dashboard.core.names import folded
from dashboard.platform.configs.queries import ConfigState
from forum.configs.profanity import ALLOWED, MATCHINGS, SEVERITIES, WORD, word_of
from forum.profanity import FilterConfig, FilterVerdict, Match, Matching, Severity, explain
from forum.word_rules import sort_key

PAGE = 100
LEVELS = {Severity.HIGH: "bad", Severity.MEDIUM: "warn", Severity.LOW: "info"}


@dataclass(frozen=True)
class WordRow:
    """A word in a list, with the person's unsaved change."""

    name: str
    text: str
    severity: Severity | None = None
    matching: Matching | None = None
    state: str = ""
    # Someone else has changed it to another value.
    has_conflict: bool = False

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
    """The URL parameters of a word list."""

    q: str = ""
    severity: str = ""
    matching: str = ""
    only_changes: bool = False


def entry_names(state: ConfigState, prefixes: tuple[str, ...], params: WordlistParams) -> list[str]:
    """The entries that match the parameters, sorted. Only names: rows are built for one page of thousands."""
    entries = state.changes if params.only_changes else {**state.saved, **state.edited}
    found = [name for name in entries if name.startswith(prefixes)]
    if params.severity or params.matching:
        found = [name for name in found if _matches(value_of(state, name), params)]
    if q := folded(params.q):
        found = [name for name in found if q in sort_key(text_of(name))]
    return sorted(found, key=_position)


def _matches(value: Any, params: WordlistParams) -> bool:
    severity, matching = value
    return params.severity in ("", severity) and params.matching in ("", matching)


def value_of(state: ConfigState, name: str) -> Any:
    """The edited value; the saved one where the person removes the entry."""
    return state.edited.get(name) or state.saved.get(name)


def text_of(name: str) -> str:
    """The word in the name of an entry."""
    return name.partition(":")[2]


def _position(name: str) -> tuple[str, str]:
    return sort_key(text_of(name)), name


def page_of(state: ConfigState, names: list[str], after: str) -> tuple[list[WordRow], str | None]:
    """The rows after an entry, and the entry after which the next page starts."""
    left = [name for name in names if _position(name) > _position(after)] if after else names
    in_conflict = {each.name for each in state.merged.conflicts}
    return [_row(state, name, in_conflict) for name in left[:PAGE]], left[PAGE - 1] if len(left) > PAGE else None


def _row(state: ConfigState, name: str, in_conflict: set[str]) -> WordRow:
    change = state.changes.get(name)
    verb, has_conflict = change.verb if change else "", name in in_conflict
    if name.startswith(ALLOWED):
        return WordRow(name, text_of(name), state=verb, has_conflict=has_conflict)
    word = word_of(name, value_of(state, name))
    return WordRow(name, word.text, word.severity, word.matching, verb, has_conflict)


def words_of(state: ConfigState) -> list[str]:
    """The words of the edited list."""
    return [text_of(name) for name in state.edited if name.startswith(WORD)]


@dataclass(frozen=True)
class Piece:
    """A part of a text, with the word that was found there."""

    text: str
    word: str = ""
    level: str = ""
    severity: str = ""


@dataclass(frozen=True)
class Trial:
    """A filter's verdict about a text, with its explanation."""

    verdict: FilterVerdict
    pieces: list[Piece]
    threshold: float

    @property
    def parts(self) -> list[dict[str, Any]]:
        found = explain(self.verdict.matches).parts
        # Numbers are not localized, like those in `sum`.
        return [{"count": p.count, "label": SEVERITIES[p.severity], "weight": f"{p.weight:g}"} for p in found]

    @property
    def sum(self) -> str:
        """The calculation: 1 − (1 − 0.8) × (1 − 0.5)² = 0.95"""
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


def try_text(config: FilterConfig, text: str) -> Trial:
    verdict = config.judge(text)
    return Trial(verdict, list(pieces(text, verdict.matches)), config.threshold)


def pieces(text: str, matches: Sequence[Match]) -> Iterable[Piece]:
    """Split a text into the matches and the parts between them."""
    bounds = [0, *(bound for match in matches for bound in (match.start, match.end)), len(text)]
    between = [Piece(text[start:end]) for start, end in list(pairwise(bounds))[::2]]
    for plain, match in zip(between, [*matches, None], strict=True):
        if plain.text:
            yield plain
        if match:
            label = str(SEVERITIES[match.severity])
            yield Piece(text[match.start : match.end], match.word, LEVELS[match.severity], label)
