"""What two texts share that read the same."""

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
def test_reads_the_same(written: str) -> None:
    assert normalize_word(written) == "puta"


def test_the_letter_enye_is_no_n() -> None:
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
def test_folds_an_entry(written: str, normalized: str) -> None:
    assert normalize_word(written) == normalized


def test_marks_of_other_scripts_are_letters() -> None:
    """Without its vowel signs a word of Hindi is another; a voiced kana is another letter."""
    assert normalize_word("कि") != normalize_word("क")
    assert normalize_word("が") != normalize_word("か")


@given(st.characters())
def test_folding_twice_changes_nothing(char: str) -> None:
    normalized = normalize_char(char)
    assert "".join(map(normalize_char, normalized)) == normalized


@given(st.text())
def test_a_fold_is_as_long_as_the_text(text: str) -> None:
    assert len(WORDS.normalize(text)) == len(LITERAL.normalize(text)) == len(text)


@given(st.text(st.characters() | st.sampled_from("aéñßж😀\xad\u200b\ufe0f")))
def test_the_quick_way_gives_what_the_table_says(text: str) -> None:
    assert WORDS.normalize(text) == text.translate(WORDS)
    assert LITERAL.normalize(text) == text.translate(LITERAL)


@given(st.text(st.characters() | st.sampled_from("nN\u0303\u0301ßﬁ\u200b")))
def test_unravelled_characters_know_where_they_were(text: str) -> None:
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
