"""What another filter would do to texts that are there already. No table here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from forum.profanity import FilterConfig, Verdict

# The result stands with the work in one item: examples, words and texts are bounded.
EXAMPLES, WORDS, EXCERPT, MARKS, WORD = 20, 200, 200, 6, 60
# So much of a text stands before the first word that was found in it.
_BEFORE = 60


# A stretch of a text, the word that was found there, and how bad that is.
Piece = tuple[str, str, str]


@dataclass(frozen=True)
class Text:
    """Something that was written: where it stands, what it says and what has become of it."""

    post: str
    comment: str
    content: str
    status: str


@dataclass(frozen=True)
class Example:
    """A text, or the part of it that matters, with what was found there."""

    post: str
    comment: str
    status: str
    pieces: tuple[Piece, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain values, none of them an empty text: not every engine keeps those."""
        pieces = [[part for part in each if part] for each in self.pieces]
        told = {"post": self.post, "comment": self.comment, "status": self.status, "pieces": pieces}
        return {name: value for name, value in told.items() if value}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Example:
        pieces = tuple(
            (text, word, severity) for text, word, severity in ((*each, "", "")[:3] for each in told["pieces"])
        )
        return cls(told["post"], told.get("comment", ""), told["status"], pieces)


def example(text: Text, verdict: Verdict) -> Example:
    """The part of a text where the first word was found, with the words in it."""
    first = verdict.matches[0].start if verdict.matches else 0
    start = max(0, first - _BEFORE) if len(text.content) > EXCERPT else 0
    end = start + EXCERPT
    found: list[Piece] = [("…", "", "")] if start else []
    at = start
    for match in [each for each in verdict.matches if each.end <= end][:MARKS]:
        found.append((text.content[at : match.start], "", ""))
        found.append((text.content[match.start : match.end], match.word[:WORD], match.severity.value))
        at = match.end
    found.append((text.content[at:end] + ("…" if end < len(text.content) else ""), "", ""))
    return Example(text.post, text.comment, text.status, tuple(each for each in found if each[0]))


@dataclass(frozen=True)
class Side:
    """The texts that would be banned from now on, or would be no more."""

    count: int = 0
    # What has become of them by now.
    statuses: Counter[str] = field(default_factory=Counter)
    # Which word made how many; none is the threshold.
    words: Counter[str] = field(default_factory=Counter)
    examples: tuple[Example, ...] = ()

    def __add__(self, other: Side) -> Side:
        words = Counter(dict((self.words + other.words).most_common(WORDS)))
        examples = (self.examples + other.examples)[:EXAMPLES]
        return Side(self.count + other.count, self.statuses + other.statuses, words, examples)

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "statuses": dict(self.statuses),
            # Pairs, and not a map: a word may be any text, and they are in order.
            "words": [[count, word] if word else [count] for word, count in self.words.most_common(WORDS)],
            "examples": [each.to_dict() for each in self.examples],
        }

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Side:
        return cls(
            int(told.get("count", 0)),
            Counter({name: int(number) for name, number in told.get("statuses", {}).items()}),
            Counter({"".join(word): int(number) for number, *word in told.get("words", [])}),
            tuple(Example.of(each) for each in told.get("examples", [])),
        )


@dataclass(frozen=True)
class Impact:
    """What a filter would change, over so many texts."""

    looked: int = 0
    banned: Side = field(default_factory=Side)
    freed: Side = field(default_factory=Side)

    def __add__(self, other: Impact) -> Impact:
        return Impact(self.looked + other.looked, self.banned + other.banned, self.freed + other.freed)

    def to_dict(self) -> dict[str, Any]:
        sides = {"banned": self.banned, "freed": self.freed}
        told = {name: side.to_dict() | {"share": share(side.count, self.looked)} for name, side in sides.items()}
        return {"looked": self.looked, **told}

    @classmethod
    def of(cls, told: Mapping[str, Any] | None) -> Impact:
        told = told or {}
        return cls(int(told.get("looked", 0)), Side.of(told.get("banned", {})), Side.of(told.get("freed", {})))


def share(count: int, of: int) -> str:
    """In percent, as it is written in every language here."""
    return f"{100 * count / of:.1f}".removesuffix(".0") if of else "0"


def replay(before: FilterConfig, after: FilterConfig, texts: Iterable[Text]) -> Impact:
    """What would be judged otherwise, whatever became of it: a moderator may have been of another mind."""
    looked, banned, freed = 0, Side(), Side()
    for text in texts:
        looked += 1
        was, now = before.judge(text.content), after.judge(text.content)
        if now.banned and not was.banned:
            banned += _one(text, now, _different(now, was))
        elif was.banned and not now.banned:
            freed += _one(text, was, _different(was, now))
    return Impact(looked, banned, freed)


def _one(text: Text, verdict: Verdict, words: set[str]) -> Side:
    return Side(1, Counter([text.status]), Counter(word[:WORD] for word in words), (example(text, verdict),))


def _different(banning: Verdict, other: Verdict) -> set[str]:
    """The words that only the one that bans has found there, or found worse; the threshold where there is none."""
    known = {(each.word, each.severity) for each in other.matches}
    return {each.word for each in banning.matches if (each.word, each.severity) not in known} or {""}
