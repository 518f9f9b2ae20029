"""Ratios as WCAG defines them, and the nearest colour that can be read."""

from __future__ import annotations

from typing import Any

import pytest
from coloraide import Color
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from branding import contrast
from branding.contrast import AA, PAIRS, nearest_readable, pair_contrasts
from branding.tokens import BY_NAME, DEFAULTS, Style, luminance, ratio, readable_text_color

HEX = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
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
def test_known_ratios(one: str, other: str, wanted: float) -> None:
    assert ratio(one, other) == pytest.approx(wanted, abs=0.001)
    assert ratio(other, one) == ratio(one, other)


@settings(deadline=None)
@given(HEX, HEX)
def test_ratios_agree_with_a_library_of_colours(one: str, other: str) -> None:
    assert ratio(one, other) == pytest.approx(Color(one).contrast(Color(other)), rel=1e-3)
    assert 0 <= luminance(one) <= 1


@settings(max_examples=200, deadline=None)
@given(HEX, HEX)
@example("#000001", "#008647")
def test_the_nearest_colour_passes_and_a_nearer_one_does_not(ink: str, ground: str) -> None:
    assume(ratio(ink, ground) < AA)
    found = nearest_readable(ink, ground)
    assert found is not None, "black or white can be read on anything"
    assert ratio(found, ground) >= AA, "as it is written, rounded"
    start: Any = Color(ink).convert("oklch")
    there, here = Color(found).convert("oklch")["lightness"], start["lightness"]
    # A step towards where it came from, so large that rounding hides it only next to black: written alike, it is none.
    step = 0.012 if there < here else -0.012
    if abs(here - there) > 0.012:
        nearer = contrast._hex(start, there + step)
        assert nearer == found or ratio(nearer, ground) < AA


@settings(deadline=None)
@given(HEX)
def test_what_is_written_by_itself_is_the_better_of_two(ground: str) -> None:
    assert ratio(readable_text_color(ground), ground) == max(ratio("#ffffff", ground), ratio("#111318", ground))


def look(**values: str) -> Style:
    return Style.of(DEFAULTS | values)


def by_id(given: Style) -> dict[str, contrast.PairContrast]:
    return {reading.pair.id: reading for reading in pair_contrasts(given)}


def test_the_first_look_can_be_read() -> None:
    assert contrast.failing_pairs(look()) == []
    assert len(pair_contrasts(look())) == len(PAIRS)


def test_every_pair_is_of_colours_that_people_set() -> None:
    for pair in PAIRS:
        assert BY_NAME[pair.background].is_color
        assert pair.text is None or BY_NAME[pair.text].is_color


def test_a_ratio_is_never_rounded_up() -> None:
    reading = by_id(look(textColor="#777777"))["text-background"]
    assert (reading.ratio_text, reading.level, reading.passes) == ("4.47", "–", False)
    assert by_id(look(textColor="#767676"))["text-background"].level == "AA"
    assert by_id(look(textColor="#000000"))["text-background"].level == "AAA"


def test_a_fix_names_the_field_and_holds() -> None:
    reading = by_id(look(mutedColor="#cccccc"))["muted-surface"]
    assert reading.fix is not None
    name, value = reading.fix
    assert name == "mutedColor"
    assert by_id(look(mutedColor=value))["muted-surface"].passes
    assert by_id(look())["muted-surface"].fix is None


@given(HEX)
@settings(max_examples=200, deadline=None)
def test_where_neither_dark_nor_light_can_be_read_the_ground_moves(ground: str) -> None:
    reading = by_id(look(primaryColor=ground))["on-primary"]
    if reading.passes:
        assert reading.fix is None
    else:
        assert reading.fix is not None and reading.fix[0] == "primaryColor"
        assert by_id(look(primaryColor=reading.fix[1]))["on-primary"].passes


def test_there_is_a_ground_on_which_neither_can_be_read() -> None:
    """The test above would pass without one."""
    assert not by_id(look(primaryColor="#857b72"))["on-primary"].passes
