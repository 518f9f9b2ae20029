"""Whatever is stored or typed, a stylesheet holds colours and values of our own lists, and nothing else."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from branding import css
from branding.tokens import BY_NAME, DEFAULTS, TOKENS, Style, color

COLOR = re.compile("#[0-9a-f]{6}")
NASTY = [
    "red;} body{background:url(//evil.example)}",
    "#fff;}@import 'x';{",
    "#ffffff/**/",
    "#ffffff\n",
    "</style><script>1</script>",
    "expression(alert(1))",
    "#ｆｆｆｆｆｆ",
    "\\00003c",
    "var(--x)",
    "inherit;color:red",
    "#12345",
]
VALUES = st.one_of(
    st.text(),
    st.sampled_from([*NASTY, *(option.value for token in TOKENS for option in token.options or ())]),
    st.text("#0123456789abcdefABCDEF; {}\n", max_size=9),
    st.none(),
    st.integers(),
    st.lists(st.text(), max_size=2),
    st.dictionaries(st.text(), st.text(), max_size=2),
)
METADATA = st.dictionaries(st.one_of(st.sampled_from(list(BY_NAME)), st.text()), VALUES)
OWN = {option.css for token in TOKENS for option in token.options or ()} | {"transparent"}


def assert_harmless(look: Style) -> None:
    sheet = css.stylesheet(look)
    lines = sheet.splitlines()
    assert (lines[0], lines[-1]) == (":root {", "}")
    assert len(lines) - 2 == len(css.properties(look))
    for line in lines[1:-1]:
        match = re.fullmatch(r"  (--brand-[a-z-]+): (.+);", line)
        assert match, line
        assert COLOR.fullmatch(match[2]) or match[2] in OWN, line


@settings(deadline=None)
@given(METADATA, METADATA)
def test_nothing_that_is_stored_or_typed_escapes_into_a_stylesheet(
    stored: dict[str, Any], typed: dict[str, Any]
) -> None:
    assert_harmless(Style.of(stored))
    assert_harmless(Style.of(stored).with_values(typed))


@settings(deadline=None)
@given(VALUES)
def test_whatever_a_look_is_read_from(metadata: Any) -> None:
    assert_harmless(Style.of(metadata))


@settings(deadline=None)
@given(st.one_of(st.text(), st.text("#0123456789abcdefABCDEF ", max_size=9)))
def test_a_colour_is_six_digits_or_nothing(text: str) -> None:
    found = color(text)
    assert found is None or COLOR.fullmatch(found)
    if found:
        assert color(found) == found


def test_nasty_values_are_no_colours() -> None:
    # A line's end is not part of what someone typed.
    assert [text for text in NASTY if color(text)] == ["#ffffff\n"]
    assert color("#ffffff\n") == "#ffffff"


def test_every_token_has_a_property_and_every_default_is_a_value() -> None:
    properties = css.properties(Style.of({}))
    for token in TOKENS:
        assert token.clean(token.default) == token.default
        assert token.property in properties
    assert Style.of({}).values == DEFAULTS


def test_headings_have_the_same_letters_unless_they_have_their_own() -> None:
    same, own = (
        css.properties(Style.of({"typography": "slab", "headingTypography": each})) for each in ("same", "didone")
    )
    assert same["--brand-heading-typography"] == same["--brand-typography"]
    assert own["--brand-heading-typography"] != own["--brand-typography"]


def test_a_button_that_is_only_outlined_is_written_in_its_own_colour() -> None:
    found = css.properties(Style.of({"primaryColor": "#ffee00", "buttonStyle": "outlined"}))
    assert (found["--brand-button-background"], found["--brand-button-text"]) == ("transparent", "#ffee00")
    found = css.properties(Style.of({"primaryColor": "#ffee00"}))
    assert (found["--brand-button-background"], found["--brand-button-text"]) == ("#ffee00", "#111318")
