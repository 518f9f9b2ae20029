"""Contrast ratios as WCAG defines them, and the nearest readable colour."""

from __future__ import annotations

from typing import Any

import pytest
from coloraide import Color
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from branding import contrast
from branding.contrast import AA, PAIRS, nearest_readable, pair_contrasts
from branding.tokens import BY_NAME, DEFAULTS, Style
from dashboard.core.colors import luminance, ratio, readable_text_color

HEX_COLORS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#ffffff", 1.0),
        ("#777777", "#ffffff", 4.478),
        ("#767676", "#ffffff", 4.542),
        ("#0000ff", "#ffffff", 8.592),
        ("#ff0000", "#ffffff", 3.998),
        ("#00ff00", "#000000", 15.304),
        ("#1d4ed8", "#ffffff", 6.701),
    ],
)
def test_known_ratios(one: str, other: str, expected: float) -> None:
    assert ratio(one, other) == pytest.approx(expected, abs=0.001)
    assert ratio(other, one) == ratio(one, other)


@settings(deadline=None)
@given(HEX_COLORS, HEX_COLORS)
def test_ratios_agree_with_coloraide(one: str, other: str) -> None:
    assert ratio(one, other) == pytest.approx(Color(one).contrast(Color(other)), rel=1e-3)
    assert 0 <= luminance(one) <= 1


@settings(max_examples=200, deadline=None)
@given(HEX_COLORS, HEX_COLORS)
@example("#000001", "#008647")
def test_the_nearest_readable_colour_passes_and_a_nearer_one_does_not(text: str, background: str) -> None:
    assume(ratio(text, background) < AA)
    nearest = nearest_readable(text, background)
    assert nearest is not None, "black or white is readable on every background"
    assert ratio(nearest, background) >= AA, "also after rounding to a hex colour"
    start: Any = Color(text).convert("oklch")
    there, here = Color(nearest).convert("oklch")["lightness"], start["lightness"]
    # A colour slightly nearer to the original; next to black, rounding can give the same hex colour.
    step = 0.012 if there < here else -0.012
    if abs(here - there) > 0.012:
        nearer = contrast._hex(start, there + step)
        assert nearer == nearest or ratio(nearer, background) < AA


@settings(deadline=None)
@given(HEX_COLORS)
def test_the_automatic_text_colour_is_the_better_of_dark_and_light(background: str) -> None:
    assert ratio(readable_text_color(background), background) == max(
        ratio("#ffffff", background), ratio("#111318", background)
    )


def style_with(**values: str) -> Style:
    return Style.of(DEFAULTS | values)


def contrasts_by_id(given: Style) -> dict[str, contrast.PairContrast]:
    return {reading.pair.id: reading for reading in pair_contrasts(given)}


def test_the_default_style_has_enough_contrast() -> None:
    assert contrast.failing_pairs(style_with()) == []
    assert len(pair_contrasts(style_with())) == len(PAIRS)


def test_every_pair_uses_colour_tokens() -> None:
    for pair in PAIRS:
        assert BY_NAME[pair.background].is_color
        assert pair.text is None or BY_NAME[pair.text].is_color


def test_a_ratio_is_never_rounded_up() -> None:
    reading = contrasts_by_id(style_with(textColor="#777777"))["text-background"]
    assert (reading.ratio_text, reading.level, reading.passes) == ("4.47", "–", False)
    assert contrasts_by_id(style_with(textColor="#767676"))["text-background"].level == "AA"
    assert contrasts_by_id(style_with(textColor="#000000"))["text-background"].level == "AAA"


def test_a_fix_names_a_field_and_a_colour_that_passes() -> None:
    reading = contrasts_by_id(style_with(mutedColor="#cccccc"))["muted-surface"]
    assert reading.fix is not None
    name, value = reading.fix
    assert name == "mutedColor"
    assert contrasts_by_id(style_with(mutedColor=value))["muted-surface"].passes
    assert contrasts_by_id(style_with())["muted-surface"].fix is None


@given(HEX_COLORS)
@settings(max_examples=200, deadline=None)
def test_the_fix_changes_the_background_if_no_text_colour_is_readable(background: str) -> None:
    reading = contrasts_by_id(style_with(primaryColor=background))["on-primary"]
    if reading.passes:
        assert reading.fix is None
    else:
        assert reading.fix is not None and reading.fix[0] == "primaryColor"
        assert contrasts_by_id(style_with(primaryColor=reading.fix[1]))["on-primary"].passes


def test_on_some_backgrounds_neither_dark_nor_light_text_is_readable() -> None:
    """Without such a colour the test above would prove nothing."""
    assert not contrasts_by_id(style_with(primaryColor="#857b72"))["on-primary"].passes
