"""The WCAG contrast of every pair of colours that the sample screens use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from coloraide import Color
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding.tokens import Style
from dashboard.core.colors import ratio, readable_text_color

# The level for text of normal size.
AA = 4.5
AAA = 7.0
# Finer than the steps of a hex colour.
_STEPS = 12


@dataclass(frozen=True)
class Pair:
    """The tokens of a text and its background; `text` is None where the text colour is chosen automatically."""

    id: str
    label: Promise
    text: str | None
    background: str


PAIRS = (
    Pair("text-background", _("Text on the background"), "textColor", "backgroundColor"),
    Pair("text-surface", _("Text on cards"), "textColor", "surfaceColor"),
    Pair("muted-background", _("Secondary text on the background"), "mutedColor", "backgroundColor"),
    Pair("muted-surface", _("Secondary text on cards"), "mutedColor", "surfaceColor"),
    Pair("primary-background", _("Links on the background"), "primaryColor", "backgroundColor"),
    Pair("primary-surface", _("Links on cards"), "primaryColor", "surfaceColor"),
    Pair("on-primary", _("Text on buttons and the header"), None, "primaryColor"),
    Pair("on-secondary", _("Text on secondary buttons"), None, "secondaryColor"),
    Pair("on-accent", _("Text on offers"), None, "accentColor"),
)
LABELS = {pair.id: pair.label for pair in PAIRS}


@dataclass(frozen=True)
class PairContrast:
    """The contrast of one pair."""

    pair: Pair
    text: str
    background: str
    ratio: float
    min_ratio: float = AA

    @property
    def passes(self) -> bool:
        return self.ratio >= self.min_ratio

    @property
    def level(self) -> str:
        return "AAA" if self.ratio >= AAA else "AA" if self.passes else "–"

    @property
    def ratio_text(self) -> str:
        """Rounded down: 4.496 does not pass as 4.5."""
        return f"{int(self.ratio * 100) / 100:.2f}"

    @property
    def fix(self) -> tuple[str, str] | None:
        """The token to change and the nearest colour that passes; None if there is nothing to fix or no such colour."""
        if self.passes or self.min_ratio != AA:
            return None
        # An automatic text colour is already the darkest or lightest one: then the background has to change.
        change, other = (self.text, self.background) if self.pair.text else (self.background, self.text)
        found = nearest_readable(change, other)
        return (self.pair.text or self.pair.background, found) if found else None


def pair_contrasts(style: Style) -> list[PairContrast]:
    return list(_pair_contrasts(style))


def _pair_contrasts(style: Style) -> Iterator[PairContrast]:
    for pair in PAIRS:
        background = style[pair.background]
        text = style[pair.text] if pair.text else readable_text_color(background)
        yield PairContrast(pair, text, background, ratio(text, background))


def failing_pairs(style: Style) -> list[PairContrast]:
    return [each for each in _pair_contrasts(style) if not each.passes]


@lru_cache(maxsize=1024)
def nearest_readable(color: str, other: str, min_ratio: float = AA) -> str | None:
    """The colour nearest in lightness that has enough contrast with `other`; None if neither black nor white has."""
    start: Any = Color(color).convert("oklch")
    found = [each for end in (0.0, 1.0) if (each := _bisect(start, end, other, min_ratio))]
    lightness = start["lightness"]
    return min(found, key=lambda each: abs(Color(each).convert("oklch")["lightness"] - lightness), default=None)


def _bisect(start: Any, end: float, other: str, min_ratio: float) -> str | None:
    """Bisect the lightness between the colour and black or white. The rounded hex colour has to pass."""
    if ratio(_hex(start, end), other) < min_ratio:
        return None
    far, near = end, start["lightness"]
    for _step in range(_STEPS):
        middle = (far + near) / 2
        if ratio(_hex(start, middle), other) >= min_ratio:
            far = middle
        else:
            near = middle
    return _hex(start, far)


def _hex(start: Any, lightness: float) -> str:
    """The same hue with another lightness, fitted into sRGB: clipping would turn black into blue."""
    lightened = start.clone().set("lightness", lightness).convert("srgb").fit("srgb")
    return str(lightened.to_string(hex=True, alpha=False))
