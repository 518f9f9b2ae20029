"""Special entries of a word list, and which of several equal entries counts."""

from __future__ import annotations

import pytest

from forum.profanity import Matcher, Severity, Word
from forum.profanity.entries import entries_of
from forum.profanity.obfuscation import ObfuscationMatcher
from forum.profanity.spelling import Spelling
from tests.forum.test_matcher import INSIDE, matched_texts

SYMBOLS = Matcher(
    [Word("🖕", Severity.HIGH), Word("a$$"), Word("f***"), Word("c++", matching=INSIDE), Word("👨‍👩‍👧"), Word("❤️")]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("toma🖕ya", ["🖕"]),
        ("🖕🏽", ["🖕🏽"]),
        ("🖕\ufe0f.", ["🖕\ufe0f"]),
        ("🖕🖕", ["🖕", "🖕"]),
        ("A$$", ["A$$"]),
        ("ba$$", []),
        ("f*** off", ["f***"]),
        ("xc++", ["c++"]),
        ("x 👨‍👩‍👧 x", ["👨‍👩‍👧"]),
        ("❤️", ["❤️"]),
        ("❤", ["❤"]),
        ("a", []),
    ],
)
def test_symbols_match_themselves(text: str, expected: list[str]) -> None:
    assert matched_texts(text, SYMBOLS) == expected


def test_of_entries_that_read_the_same_the_highest_severity_counts() -> None:
    matcher = Matcher([Word("puta", Severity.LOW), Word("PUTÁ", Severity.HIGH), Word("Puta", Severity.MEDIUM)])
    assert [(match.word, match.severity) for match in matcher.find("puta")] == [("PUTÁ", Severity.HIGH)]


def test_a_word_listed_as_inside_and_as_whole_matches_inside() -> None:
    matcher = Matcher([Word("puta", Severity.HIGH), Word("Puta", Severity.LOW, INSIDE)])
    assert [match.severity for match in matcher.find("puta xputax")] == [Severity.HIGH, Severity.LOW]


def test_phrases_can_match_inside_words_and_overlap() -> None:
    matcher = Matcher([Word("de puta", matching=INSIDE), Word("la puta"), Word("puta la")])
    assert matched_texts("donde  putas, la puta la", matcher) == ["de  puta", "la puta"]


def test_an_empty_list_finds_nothing() -> None:
    matcher = Matcher([Word(""), Word(" "), Word("\u200b")], ["", "\u0301"])
    assert matcher.find("hola putaaa f*ck 🖕 p u t a") == []


def test_entries_are_not_regular_expressions() -> None:
    matcher = Matcher([Word(".*"), Word("(a+)+$"), Word("[x"), Word("\\d"), Word("69"), Word("сука"), Word("バカ")])
    assert matched_texts("aaa .* 69 сука バカ", matcher) == [".*", "69", "сука", "バカ"]
    assert matched_texts("aaa 6 9", matcher) == []


def test_a_long_word_of_similar_letters_is_compared_quickly() -> None:
    """Without a limit, hundreds of millions of ways to divide the text are tried."""
    assert not Spelling("il" * 8).allows("i!" * 47 + "i")
    assert Spelling("il" * 8).allows("i1" * 8)


def test_very_long_words_have_no_masked_forms() -> None:
    masked = ObfuscationMatcher(entries_of([Word("x" + "abcdefghij" * 7), Word("fuck")], []))._masked
    assert {len(form) for form in masked} == {4}
