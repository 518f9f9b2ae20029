"""Normalization: different spellings of the same word become the same text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forum.profanity.normalization import LITERAL, NOTHING, SEVERAL, WORDS, expand, normalize_char, normalize_word


@pytest.mark.parametrize(
    "written",
    ["Puta", "PUTA", "putá", "pu\u0301ta", "ｐｕｔａ", "𝐩𝐮𝐭𝐚", "𝓹𝓾𝓽𝓪", "ⓟⓤⓣⓐ", "🅿🆄🆃🅰", "рuта", "ᴘᴜᴛᴀ",
     "p\u200bu\u00adt\ufe0fa",
     "p\u0336u\u0336t\u0336a\u0336", " puta ", "¡puta!", "puta…", "«puta»".strip("«»")],
)  # fmt: skip
def test_spellings_of_a_word_have_the_same_normal_form(written: str) -> None:
    assert normalize_word(written) == "puta"


def test_the_letter_enye_is_not_an_n() -> None:
    assert normalize_word("coño") == normalize_word("CON\u0303O") == "coño"
    assert normalize_word("cono") == "cono"


@pytest.mark.parametrize(
    ("written", "normalized"),
    [
        ("Scheiße", "scheisse"),
        ("ﬁst", "fist"),
        ("hijo  de\tPUTA", "hijo de puta"),
        ("hijo-de-puta", "hijo de puta"),
        ("🖕", "🖕"),
        ("🖕\ufe0f", "🖕"),
        ("a$$", "a$$"),
        ("c++", "c++"),
        ("b!tch", "b!tch"),
        ("...", "..."),
        ("69", "69"),
        ("हिंदी", "हिंदी"),
        ("", ""),
        (" \n\u200b", ""),
        ("\u0301", ""),
    ],
)
def test_the_normal_form_of_an_entry(written: str, normalized: str) -> None:
    assert normalize_word(written) == normalized


def test_marks_of_other_scripts_are_kept() -> None:
    """In Hindi, a word without its vowel signs is another word; in Japanese, a voiced kana is another letter."""
    assert normalize_word("कि") != normalize_word("क")
    assert normalize_word("が") != normalize_word("か")


@given(st.characters())
def test_normalizing_twice_changes_nothing(char: str) -> None:
    normalized = normalize_char(char)
    assert "".join(map(normalize_char, normalized)) == normalized


@given(st.text())
def test_the_normal_form_is_as_long_as_the_text(text: str) -> None:
    assert len(WORDS.normalize(text)) == len(LITERAL.normalize(text)) == len(text)


@given(st.text(st.characters() | st.sampled_from("aéñßж😀\xad\u200b\ufe0f")))
def test_the_fast_method_gives_the_same_result_as_the_table(text: str) -> None:
    assert WORDS.normalize(text) == text.translate(WORDS)
    assert LITERAL.normalize(text) == text.translate(LITERAL)


@given(st.text(st.characters() | st.sampled_from("nN\u0303\u0301ßﬁ\u200b")))
def test_expanded_characters_have_the_position_in_the_text(text: str) -> None:
    readable, where = expand(text)
    assert len(where) == len(readable) + 1
    assert where == sorted(where)
    assert where[-1] == len(text)
    assert NOTHING not in WORDS.normalize(readable)
    assert SEVERAL not in WORDS.normalize(readable)
    for char, at in zip(readable, where, strict=False):
        assert char in normalize_char(text[at]) or (
            char == "ñ" and unicodedata.normalize("NFC", text[at : at + 2]) in "ñÑ"
        )
