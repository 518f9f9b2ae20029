"""The matcher: which texts match the words of a list, and which do not."""

from __future__ import annotations

import pytest

from forum.profanity import Matcher, Matching, Severity, Word

INSIDE = Matching.INSIDE
LISTED = """
    puta puto mierda coño perra pollas cabrón pene pero polo fuck shit bitch ass nigger boob coon tit gilipollas sexo
    pendejo hoe raper con
"""
MATCHER = Matcher(
    [
        *map(Word, LISTED.split()),
        *map(Word, ["hijo de puta", "puta madre", "me cago en"]),
        *(Word(text, Severity.LOW, INSIDE) for text in ("culo", "cock")),
    ],
    ["artículo", "ridículo", "vehículo", "me cago en la mar", "peacock", "raper"],
)


def matched_texts(text: str, matcher: Matcher = MATCHER) -> list[str]:
    return [text[match.start : match.end] for match in matcher.find(text)]


def matched_words(text: str, matcher: Matcher = MATCHER) -> list[str]:
    return [match.word for match in matcher.find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eres una puta", "puta"),
        ("PUTA", "PUTA"),
        ("putá", "putá"),
        ("pu\u0301ta\u0301!", "pu\u0301ta\u0301"),
        ("ｐｕｔａ", "ｐｕｔａ"),
        ("𝐩𝐮𝐭𝐚", "𝐩𝐮𝐭𝐚"),
        ("ⓟⓤⓣⓐ", "ⓟⓤⓣⓐ"),
        ("🅿🆄🆃🅰", "🅿🆄🆃🅰"),
        ("рutа", "рutа"),
        ("p\u200buta", "p\u200buta"),
        ("p\u0336u\u0336t\u0336a\u0336 x", "p\u0336u\u0336t\u0336a\u0336"),
        ("COÑO", "COÑO"),
        ("con\u0303o", "con\u0303o"),
        ("cabron", "cabron"),
        ("¡puta!", "puta"),
        ("«puta»", "puta"),
        ("puta_x", "puta"),
        ("😀puta😀", "puta"),
        ("❤\ufe0fputa❤\ufe0f", "puta"),
        ("#puta", "puta"),
        ("@puta", "puta"),
        ("puta's", "puta"),
        ("puta\nmadre", "puta\nmadre"),
    ],
)
def test_words_are_found_in_any_case_accent_or_font(text: str, expected: str) -> None:
    assert matched_texts(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["", " ", "cono", "un cono", "computadora", "disputa", "reputación", "Scunthorpe", "putada", "1puta", "puta2",
     "xputa",
     "putaж", "puta\u0928", "PutaMadre", "pu ta", "Pu ta", "as", "pera", "polas", "as you see", "un acto y", "niger"],
)  # fmt: skip
def test_other_words_do_not_match(text: str) -> None:
    assert matched_texts(text) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("put4", "puta"), ("pu7a", "puta"), ("put@", "puta"), ("sh1t", "shit"), ("$hit", "shit"), ("5h1t", "shit"),
     ("a$$", "ass"), ("@ss", "ass"), ("b!tch", "bitch"), ("m13rd4", "mierda"), ("mi€rda", "mierda"), ("c0ñ0", "coño"),
     ("g1l1p0ll4s", "gilipollas"), ("gi1ipo11as", "gilipollas"), ("g|l|pollas", "gilipollas"), ("s3x0", "sexo"),
     ("pu+a", "puta"), ("ni99er", "nigger"), ("SH1T!!", "shit"), ("put4444", "puta"), ("sh!t!", "shit"),
     ("xc0ckx", "cock"), ("fu(k", "fuck"), ("ｐｕｔ４", "puta"), ("sh１t", "shit"),
     ("hijo de put4", "hijo de puta"), ("me c4go en", "me cago en")],
)  # fmt: skip
def test_symbols_and_digits_count_as_letters(text: str, word: str) -> None:
    assert matched_words(text) == [word]


@pytest.mark.parametrize(
    "text",
    ["455", "$100", "2001", "45s", "a55", "4 55", "1st", "100%", "a$", "$", "@", "5€", "7:17", "+34 455 455 455",
     "3.455",
     "hola!que", "a+b", "€5", "h0", "90s", "(c)", "a|b", "gi1ipoiias", "1337"],
)  # fmt: skip
def test_numbers_and_prices_do_not_match(text: str) -> None:
    assert matched_texts(text) == []


@pytest.mark.parametrize(
    "text", ["f*ck", "p*ta", "sh*t", "f**k", "f#ck", "f%ck", "**f*ck**", "b@tch", "m*erda", "xx (f*ck)"]
)
def test_words_with_masked_letters_are_found(text: str) -> None:
    assert len(matched_texts(text)) == 1
    assert matched_texts(text)[0] == text.removeprefix("xx ").strip("*()")


def test_a_masked_word_matches_the_word_with_the_highest_severity_then_most_forms() -> None:
    matcher = Matcher([Word("feck"), Word("fick", Severity.LOW), Word("fuck"), Word("fucking"), Word("fucker")])
    assert matched_words("f*ck", matcher) == ["fuck"]
    matcher = Matcher([Word("feck", Severity.HIGH), Word("fuck"), Word("fucking")])
    assert matched_words("f*ck", matcher) == ["feck"]


@pytest.mark.parametrize("text", ["a*s", "f***", "*uck", "*", "2*3", "p***a", "f* ck", "h*la", "a*b*c", "t*t", "gr*ss"])
def test_only_few_letters_inside_a_word_can_be_masked(text: str) -> None:
    assert matched_texts(text) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("putaaa", "puta"), ("putaa", "puta"), ("ppuuttaa", "puta"), ("fuuuuck", "fuck"), ("FUCKKKK", "fuck"),
     ("putoo", "puto"),
     ("asss", "ass"), ("assss", "ass"), ("perraaa", "perra"), ("perrrra", "perra"), ("shiiit", "shit"),
     ("mierdaaa!!", "mierda"),
     ("coñooo", "coño"), ("niggerrr", "nigger"), ("bitchhh", "bitch"), ("hijo de putaaa", "hijo de puta"),
     ("hijoooo de puta", "hijo de puta"), ("put4aaa", "puta"), ("gilipollassss", "gilipollas"), ("xculooox", "culo"),
     ("pendejoo", "pendejo")],
)  # fmt: skip
def test_words_with_repeated_letters_are_found(text: str, word: str) -> None:
    assert matched_words(text) == [word]
    assert matched_texts(text) == [text.strip("!x")]


@pytest.mark.parametrize(
    "text", ["perro", "pollo", "pera", "as", "penne", "rapper", "bob", "titt", "hoee", "coonn", "a", "coo"]
)
def test_a_double_letter_can_make_another_word(text: str) -> None:
    assert matched_texts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("p.u.t.a", "p.u.t.a"), ("p u t a", "p u t a"), ("p-u-t-a", "p-u-t-a"), ("p*u*t*a", "p*u*t*a"),
     ("p_u_t_a", "p_u_t_a"),
     ("p  u  t  a", "p  u  t  a"), ("p. u. t. a.", "p. u. t. a"), ("p.u-t_a", "p.u-t_a"), ("F U C K you", "F U C K"),
     ("a s s", "a s s"), ("y p u t a y", "p u t a"), ("eres p.u.t.a y tonta", "p.u.t.a"),
     ("p😀u😀t😀a", "p😀u😀t😀a"),
     ("p.u.t.a f.a.n", "p.u.t.a"), ("f u c k  y o u", "f u c k"), ("p u t 4", "p u t 4"),
     ("p u u t a a a", "p u u t a a a"),
     ("p\u200b.u.t.a", "p\u200b.u.t.a"), ("u r a f.u.c.k", "f.u.c.k")],
)  # fmt: skip
def test_words_with_separated_letters_are_found(text: str, expected: str) -> None:
    assert matched_texts(text) == [expected]


@pytest.mark.parametrize(
    "text",
    ["pu ta", "p ut a", "put a", "p.uta", "x p u t a z", "a b c d e f", "U.S.A.", "a s", "p u t", "un a s solo",
     "1 2 3 4 5 5",
     "p    u    t    a", "c u l o s a n", "as s", "4 5 5"],
)  # fmt: skip
def test_only_single_letters_are_joined_into_words(text: str) -> None:
    assert matched_texts(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("articulo", []),
        ("ARTÍCULO", []),
        ("artículooo", []),
        ("artículos", ["culo"]),
        ("ridículo culo", ["culo"]),
        ("me cago en la mar", []),
        ("me cago en la mesa", ["me cago en"]),
        ("me  cago, en la mar", []),
        ("peacock peacocks", ["cock"]),
        ("raper", []),
        ("@rtículo", []),
    ],
)
def test_a_match_inside_an_allowed_word_does_not_count(text: str, expected: list[str]) -> None:
    assert matched_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hijo de puta madre", ["hijo de puta"]),
        ("puta madre", ["puta madre"]),
        ("hijo   de\n puta", ["hijo   de\n puta"]),
        ("hijo, de puta", ["hijo, de puta"]),
        ("puta puta", ["puta", "puta"]),
        ("puta,puta", ["puta", "puta"]),
        ("hijo de putas", []),
        ("hijo de la puta", ["puta"]),
        ("culoculo", ["culo", "culo"]),
        ("hijo de puta hijo de puta", ["hijo de puta", "hijo de puta"]),
    ],
)
def test_of_overlapping_matches_the_leftmost_and_longest_counts(text: str, expected: list[str]) -> None:
    assert matched_texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://puta.com/puta", []),
        ("mira https://x.com/a y puta", ["puta"]),
        ("www.puta.com", []),
        ("puta@correo.com", []),
        ("gran.puta@correo.com", []),
        ("@putamadre", []),
        ("@culo_grande", []),
        ("@sh1t_x", []),
        ("hola @PUTA.", ["PUTA"]),
        ("hola @pepe.puta", ["puta"]),
        ("put@s put@", ["put@"]),
        (".@puta", ["puta"]),
    ],
)
def test_addresses_and_user_names_do_not_match(text: str, expected: list[str]) -> None:
    assert matched_texts(text) == expected


@pytest.mark.parametrize(
    "text",
    ["hijo de p.u.t.a", "h1jo de PUT4", "hijo  de put@", "¡hijo de putaaaa!", "hijo de p*ta", "hi\u200bjo de p u t a"],
)
def test_a_phrase_with_a_disguised_word_is_found(text: str) -> None:
    matcher = Matcher([Word("puta", Severity.MEDIUM), Word("hijo de puta", Severity.HIGH), Word("hijo", Severity.LOW)])
    (match,) = matcher.find(f"un {text}, dijo")
    assert (match.word, match.severity) == ("hijo de puta", Severity.HIGH)
    assert f"un {text}, dijo"[match.start : match.end] == text.strip("¡!")


def test_an_allowed_phrase_allows_a_disguised_word_in_it() -> None:
    matcher = Matcher([Word("puta")], ["puta vida"])
    assert matcher.find("put4 vida") == []
    assert matcher.find("put4 casa")
