"""The effect that a changed filter would have on existing texts. Uses no table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forum.profanity import FilterConfig, FilterVerdict

# The result is stored in one item together with its job, so everything in it is limited.
MAX_EXAMPLES, MAX_WORDS, MAX_EXCERPT, MAX_MARKS, MAX_WORD_LENGTH = 20, 200, 200, 6, 60
# The number of characters of an excerpt before the first word that was found.
_BEFORE = 60


# A part of a text, the word that was found there, and its severity.
TextPart = tuple[str, str, str]


@dataclass(frozen=True)
class Text:
    """A post or a comment: its ids, content and status."""

    post: str
    comment: str
    content: str
    status: str


@dataclass(frozen=True)
class Example:
    """An excerpt of a text with the words that were found in it."""

    post: str
    comment: str
    status: str
    pieces: tuple[TextPart, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values without empty texts, which not every engine stores."""
        pieces = [[part for part in each if part] for each in self.pieces]
        values = {"post": self.post, "comment": self.comment, "status": self.status, "pieces": pieces}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Example:
        pieces = tuple(
            (text, word, severity) for text, word, severity in ((*each, "", "")[:3] for each in values["pieces"])
        )
        return cls(values["post"], values.get("comment", ""), values["status"], pieces)


def build_example(text: Text, verdict: FilterVerdict) -> Example:
    """An excerpt around the first word that was found."""
    first = verdict.matches[0].start if verdict.matches else 0
    start = max(0, first - _BEFORE) if len(text.content) > MAX_EXCERPT else 0
    end = start + MAX_EXCERPT
    pieces: list[TextPart] = [("…", "", "")] if start else []
    position = start
    for match in [each for each in verdict.matches if each.end <= end][:MAX_MARKS]:
        pieces.append((text.content[position : match.start], "", ""))
        pieces.append((text.content[match.start : match.end], match.word[:MAX_WORD_LENGTH], match.severity.value))
        position = match.end
    pieces.append((text.content[position:end] + ("…" if end < len(text.content) else ""), "", ""))
    return Example(text.post, text.comment, text.status, tuple(each for each in pieces if each[0]))


@dataclass(frozen=True)
class AffectedTexts:
    """The texts that would be banned, would no longer be banned, or would wait for review."""

    count: int = 0
    # Their current statuses.
    statuses: Counter[str] = field(default_factory=Counter)
    # The number of texts for each word that is the cause; the empty word is the threshold.
    words: Counter[str] = field(default_factory=Counter)
    examples: tuple[Example, ...] = ()

    def __add__(self, other: AffectedTexts) -> AffectedTexts:
        words = Counter(dict((self.words + other.words).most_common(MAX_WORDS)))
        examples = (self.examples + other.examples)[:MAX_EXAMPLES]
        return AffectedTexts(self.count + other.count, self.statuses + other.statuses, words, examples)

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "statuses": dict(self.statuses),
            # Pairs, not a map: they are in order, and a word may be any text.
            "words": [[count, word] if word else [count] for word, count in self.words.most_common(MAX_WORDS)],
            "examples": [each.to_dict() for each in self.examples],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> AffectedTexts:
        return cls(
            int(values.get("count", 0)),
            Counter({name: int(number) for name, number in values.get("statuses", {}).items()}),
            Counter({"".join(word): int(number) for number, *word in values.get("words", [])}),
            tuple(Example.from_dict(each) for each in values.get("examples", [])),
        )


@dataclass(frozen=True)
class Impact:
    """What a changed filter would do, and the number of texts that were checked."""

    checked: int = 0
    banned: AffectedTexts = field(default_factory=AffectedTexts)
    freed: AffectedTexts = field(default_factory=AffectedTexts)
    # The texts that would wait for review and did not before; some of them are no longer banned.
    waiting: AffectedTexts = field(default_factory=AffectedTexts)

    def __add__(self, other: Impact) -> Impact:
        return Impact(
            self.checked + other.checked,
            self.banned + other.banned,
            self.freed + other.freed,
            self.waiting + other.waiting,
        )

    def to_dict(self) -> dict[str, Any]:
        groups = {"banned": self.banned, "freed": self.freed, "waiting": self.waiting}
        values = {name: each.to_dict() | {"share": percent(each.count, self.checked)} for name, each in groups.items()}
        return {"looked": self.checked, **values}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any] | None) -> Impact:
        values = values or {}
        return cls(
            int(values.get("looked", 0)),
            AffectedTexts.from_dict(values.get("banned", {})),
            AffectedTexts.from_dict(values.get("freed", {})),
            AffectedTexts.from_dict(values.get("waiting", {})),
        )


def percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}".removesuffix(".0") if total else "0"


def compare_filters(before: FilterConfig, after: FilterConfig, texts: Iterable[Text]) -> Impact:
    """The texts that the two filters judge differently, whatever moderators have decided about them."""
    checked, banned, freed, waiting = 0, AffectedTexts(), AffectedTexts(), AffectedTexts()
    for text in texts:
        checked += 1
        was, now = before.judge(text.content), after.judge(text.content)
        if now.banned and not was.banned:
            banned += _affected(text, now, _causes(now, was))
        elif was.banned and not now.banned:
            freed += _affected(text, was, _causes(was, now))
        if now.waits and not was.waits:
            waiting += _affected(text, now, _causes(now, was))
    return Impact(checked, banned, freed, waiting)


def _affected(text: Text, verdict: FilterVerdict, words: set[str]) -> AffectedTexts:
    word_counts = Counter(word[:MAX_WORD_LENGTH] for word in words)
    return AffectedTexts(1, Counter([text.status]), word_counts, (build_example(text, verdict),))


def _causes(verdict: FilterVerdict, other: FilterVerdict) -> set[str]:
    """The words that only this filter finds, or finds with another severity; "" where it is the threshold."""
    known = {(each.word, each.severity) for each in other.matches}
    return {each.word for each in verdict.matches if (each.word, each.severity) not in known} or {""}
