"""Properties of the matcher for every text, also for hostile ones."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forum.profanity import Matcher, Matching, Severity, Word, normalize_word
from forum.profanity.normalization import expand
from forum.profanity.spelling import SYMBOLS_FOR

LIST = [
    *(
        Word(text, Severity.HIGH)
        for text in ("puta", "gilipollas", "ass", "coño", "🖕", "a$$", "hijo de puta", "perra")
    ),
    *(Word(text, Severity.LOW, Matching.INSIDE) for text in ("culo", "fuck", "ili")),
]
MATCHER = Matcher(LIST, ["artículo", "puta vida", "as"])
# Each piece occurs often enough for many texts to match.
PIECES = [
    "puta", "PUTÁ", "p.u.t.a", "p u t a", "put4", "putaaa", "p*ta", "artículo", "culo", "gi1ipollas", "as", "a$$",
    "@ss", "ß", "coño", "con\u0303o", "hijo", "de", "vida", "ﬁ", "\u0301", "\u0303", "\u200b", "\ufe0f", "🖕", "🏽",
    " ", " ", " ", ".", "@", "https://", "www.", "*", "1", "l", "i", "!", "\x00", "\x01", "\ud800", "\n", "n", "\xad",
    "Ａ", "ж", "fuuuck",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join)


@given(texts)
@example("puta" * 3 + "\u0301")
@example("straßefuck")
def test_matches_are_in_order_and_do_not_overlap(text: str) -> None:
    end = 0
    for match in MATCHER.find(text):
        assert end <= match.start < match.end <= len(text)
        end = match.end
        assert any(word.text == match.word and word.severity == match.severity for word in LIST)


@given(texts)
def test_a_match_never_separates_a_letter_from_its_accents(text: str) -> None:
    for match in MATCHER.find(text):
        assert not unicodedata.combining(text[match.start])
        assert match.end == len(text) or not unicodedata.combining(text[match.end])


@given(texts)
def test_the_letters_of_a_match_are_those_of_the_word(text: str) -> None:
    """Each letter in the text is a letter of the word or a symbol for one, and at most two letters are masked."""
    for match in MATCHER.find(text):
        written, word = expand(text[match.start : match.end])[0], normalize_word(match.word)
        symbols = {symbol for letter in word for symbol in SYMBOLS_FOR.get(letter, "")}
        letters = [char for char in written if char.isalnum()]
        assert set(letters) <= set(word) | symbols
        assert len(letters) >= len(word.replace(" ", "")) - 2 or not word.isalnum()


@given(texts)
def test_text_before_a_match_does_not_change_it(text: str) -> None:
    """The same matches are found after a separate text, at shifted positions."""
    matches = MATCHER.find(f"{text}\n\n")
    shifted = MATCHER.find(f"Bueno —————— {text}\n\n")
    shift = len("Bueno —————— ")
    assert [(match.start + shift, match.end + shift, match.word) for match in matches] == [
        (match.start, match.end, match.word) for match in shifted
    ]


@given(st.lists(st.builds(Word, st.text(max_size=6), st.sampled_from(Severity), st.sampled_from(Matching)), max_size=6))
def test_every_entry_matches_its_own_text(words: list[Word]) -> None:
    for word in words:
        # A text that looks like an address never matches, even if it is listed.
        if normalize_word(word.text) and not set("@:w") & set(word.text):
            assert Matcher([word]).find(f" {word.text} ")


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)), st.text())
def test_any_list_works_on_any_text(words: list[str], allowed: list[str], text: str) -> None:
    matcher = Matcher(map(Word, words), allowed)
    assert all(match.word in words for match in matcher.find(text))


# About 100,000 characters each, and the number of matches. An algorithm with quadratic time would not end here.
HOSTILE = {
    "one letter": ("a" * 100_000, 0),
    "spelled letters": ("p." * 50_000, 0),
    "spelled words": ("p.u.t.a " * 12_500, 12_500),
    "spelled, divided in many ways": ("p.u t-a  " * 11_000, 0),
    "accents on accents": ("a" + "\u0301\u0336" * 50_000, 0),
    "accents on words": (("puta" + "\u0301" * 50 + " ") * 1_800, 1_800),
    "ones that may be two letters": ("g" + "1" * 100_000 + "lpollas", 0),
    "ones in many ways": ("g" + "1!|" * 33_000 + "lpollas", 0),
    "hits": ("puta " * 20_000, 20_000),
    "hits inside": ("culo" * 25_000, 25_000),
    "phrases": ("hijo  de puta " * 7_000, 7_000),
    "hidden letters": ("p*ta " * 20_000, 20_000),
    "masks": ("a*" * 50_000, 0),
    "digits": ("a1" * 50_000, 0),
    "names": ("@a" * 50_000, 0),
    "names apart": ("@a " * 33_000, 0),
    "dots after a name": ("@" + "a." * 50_000, 0),
    "addresses": ("a://" * 25_000, 0),
    "mail": ("a@b.c" * 20_000, 0),
    "before an address": ("a" * 100_000 + "://x", 0),
    "fingers": ("🖕" * 100_000, 100_000),
    "ligatures": ("ß" * 100_000, 0),
    "half characters": ("\ud800" * 100_000, 0),
    "nothing": ("\x00" * 100_000, 0),
    "spaces": (" " * 100_000, 0),
    "letters far apart": ("a   " * 25_000, 0),
    "stretched words": ("putaaaa " * 12_500, 12_500),
    "one stretched word": ("put" + "a" * 100_000, 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_long_and_hostile_texts_take_linear_time(name: str) -> None:
    text, count = HOSTILE[name]
    assert len(MATCHER.find(text)) == count
