"""A stylesheet contains only colours and values of our own lists, whatever is stored or typed."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from branding import css
from branding.contrast import AA
from branding.tokens import BY_NAME, DEFAULTS, TOKENS, Style, color
from dashboard.core.colors import ratio

COLOR = re.compile("#[0-9a-f]{6}")
UNSAFE_VALUES = [
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
    st.sampled_from([*UNSAFE_VALUES, *(option.value for token in TOKENS for option in token.options or ())]),
    st.text("#0123456789abcdefABCDEF; {}\n", max_size=9),
    st.none(),
    st.integers(),
    st.lists(st.text(), max_size=2),
    st.dictionaries(st.text(), st.text(), max_size=2),
)
METADATA = st.dictionaries(st.one_of(st.sampled_from(list(BY_NAME)), st.text()), VALUES)
OWN_VALUES = {option.css for token in TOKENS for option in token.options or ()} | {"transparent"}


def assert_safe_stylesheet(style: Style) -> None:
    for sheet in (css.stylesheet(style), css.visitor_stylesheet(style)):
        assert_safe_sheet(sheet, style)
    values = css.visitor_properties(style)
    for name in ("--brand-text-color", "--brand-muted-color"):
        assert ratio(values[name], values["--brand-background-color"]) >= AA, "visitors can read it"


def assert_safe_sheet(sheet: str, style: Style) -> None:
    lines = sheet.splitlines()
    assert (lines[0], lines[-1]) == (":root {", "}")
    assert len(lines) - 2 == len(css.properties(style))
    for line in lines[1:-1]:
        match = re.fullmatch(r"  (--brand-[a-z-]+): (.+);", line)
        assert match, line
        if match[1] == "--brand-scheme":
            assert match[2] in {"light", "dark"}, line
        else:
            assert COLOR.fullmatch(match[2]) or match[2] in OWN_VALUES, line


@settings(deadline=None)
@given(METADATA, METADATA)
def test_stored_and_typed_values_cannot_inject_css(stored: dict[str, Any], typed: dict[str, Any]) -> None:
    assert_safe_stylesheet(Style.of(stored))
    assert_safe_stylesheet(Style.of(stored).with_values(typed))


@settings(deadline=None)
@given(VALUES)
def test_metadata_of_any_type_gives_a_safe_stylesheet(metadata: Any) -> None:
    assert_safe_stylesheet(Style.of(metadata))


@settings(deadline=None)
@given(st.one_of(st.text(), st.text("#0123456789abcdefABCDEF ", max_size=9)))
def test_a_colour_is_six_hex_digits_or_none(text: str) -> None:
    cleaned = color(text)
    assert cleaned is None or COLOR.fullmatch(cleaned)
    if cleaned:
        assert color(cleaned) == cleaned


def test_unsafe_values_are_not_colours() -> None:
    # A line break at the end is removed before the check.
    assert [text for text in UNSAFE_VALUES if color(text)] == ["#ffffff\n"]
    assert color("#ffffff\n") == "#ffffff"


def test_every_token_has_a_property_and_a_valid_default() -> None:
    properties = css.properties(Style.of({}))
    for token in TOKENS:
        assert token.clean(token.default) == token.default
        assert token.property in properties
    assert Style.of({}).values == DEFAULTS


def test_headings_use_the_text_typeface_unless_they_have_their_own() -> None:
    same, own = (
        css.properties(Style.of({"typography": "slab", "headingTypography": each})) for each in ("same", "didone")
    )
    assert same["--brand-heading-typography"] == same["--brand-typography"]
    assert own["--brand-heading-typography"] != own["--brand-typography"]


def test_an_outlined_button_has_text_in_the_primary_colour() -> None:
    properties = css.properties(Style.of({"primaryColor": "#ffee00", "buttonStyle": "outlined"}))
    assert (properties["--brand-button-background"], properties["--brand-button-text"]) == ("transparent", "#ffee00")
    properties = css.properties(Style.of({"primaryColor": "#ffee00"}))
    assert (properties["--brand-button-background"], properties["--brand-button-text"]) == ("#ffee00", "#111318")
