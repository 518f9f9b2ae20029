"""What two texts share that read the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forum.profanity.folding import LITERAL, NOTHING, SEVERAL, WORDS, fold_char, fold_word, unravel


@pytest.mark.parametrize(
    "written",
    ["Puta", "PUTA", "putá", "pu\u0301ta", "ｐｕｔａ", "𝐩𝐮𝐭𝐚", "𝓹𝓾𝓽𝓪", "ⓟⓤⓣⓐ", "🅿🆄🆃🅰", "рuта", "ᴘᴜᴛᴀ",
     "p\u200bu\u00adt\ufe0fa",
     "p\u0336u\u0336t\u0336a\u0336", " puta ", "¡puta!", "puta…", "«puta»".strip("«»")],
)  # fmt: skip
def test_reads_the_same(written: str) -> None:
    assert fold_word(written) == "puta"


def test_the_letter_enye_is_no_n() -> None:
    assert fold_word("coño") == fold_word("CON\u0303O") == "coño"
    assert fold_word("cono") == "cono"


@pytest.mark.parametrize(
    ("written", "folded"),
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
def test_folds_an_entry(written: str, folded: str) -> None:
    assert fold_word(written) == folded


def test_marks_of_other_scripts_are_letters() -> None:
    """Without its vowel signs a word of Hindi is another; a voiced kana is another letter."""
    assert fold_word("कि") != fold_word("क")
    assert fold_word("が") != fold_word("か")


@given(st.characters())
def test_folding_twice_changes_nothing(char: str) -> None:
    folded = fold_char(char)
    assert "".join(map(fold_char, folded)) == folded


@given(st.text())
def test_a_fold_is_as_long_as_the_text(text: str) -> None:
    assert len(WORDS.fold(text)) == len(LITERAL.fold(text)) == len(text)


@given(st.text(st.characters() | st.sampled_from("aéñßж😀\xad\u200b\ufe0f")))
def test_the_quick_way_gives_what_the_table_says(text: str) -> None:
    assert WORDS.fold(text) == text.translate(WORDS)
    assert LITERAL.fold(text) == text.translate(LITERAL)


@given(st.text(st.characters() | st.sampled_from("nN\u0303\u0301ßﬁ\u200b")))
def test_unravelled_characters_know_where_they_were(text: str) -> None:
    readable, where = unravel(text)
    assert len(where) == len(readable) + 1
    assert where == sorted(where)
    assert where[-1] == len(text)
    assert NOTHING not in WORDS.fold(readable)
    assert SEVERAL not in WORDS.fold(readable)
    for char, at in zip(readable, where, strict=False):
        assert char in fold_char(text[at]) or (char == "ñ" and unicodedata.normalize("NFC", text[at : at + 2]) in "ñÑ")
