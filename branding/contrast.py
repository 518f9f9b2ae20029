"""Whether people can read it: WCAG ratios of every pair of colours that the screens put on each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from coloraide import Color
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding.tokens import Look, on, ratio

# Level AA, for text of the usual size.
AA = 4.5
AAA = 7.0
# Finer than what the digits of a colour can say.
_STEPS = 12


@dataclass(frozen=True)
class Pair:
    """A colour that is read on another; `ink` none for what is chosen by itself."""

    id: str
    label: Promise
    ink: str | None
    ground: str


PAIRS = (
    Pair("text-background", _("Text on the background"), "textColor", "backgroundColor"),
    Pair("text-surface", _("Text on cards"), "textColor", "surfaceColor"),
    Pair("muted-background", _("Quiet text on the background"), "mutedColor", "backgroundColor"),
    Pair("muted-surface", _("Quiet text on cards"), "mutedColor", "surfaceColor"),
    Pair("primary-background", _("Links on the background"), "primaryColor", "backgroundColor"),
    Pair("primary-surface", _("Links on cards"), "primaryColor", "surfaceColor"),
    Pair("on-primary", _("Words on buttons and the header"), None, "primaryColor"),
    Pair("on-secondary", _("Words on quieter buttons"), None, "secondaryColor"),
    Pair("on-accent", _("Words on offers"), None, "accentColor"),
)
LABELS = {pair.id: pair.label for pair in PAIRS}


@dataclass(frozen=True)
class Reading:
    """How well one pair can be read."""

    pair: Pair
    ink: str
    ground: str
    ratio: float

    @property
    def passes(self) -> bool:
        return self.ratio >= AA

    @property
    def level(self) -> str:
        return "AAA" if self.ratio >= AAA else "AA" if self.passes else "–"

    @property
    def shown(self) -> str:
        """Rounded down: 4.496 is not 4.5."""
        return f"{int(self.ratio * 100) / 100:.2f}"

    @property
    def fix(self) -> tuple[str, str] | None:
        """The field to change and the nearest colour that can be read; none where it can, or where none could."""
        if self.passes:
            return None
        # What is written in by itself is as light or dark as it gets: then it is the ground that moves.
        moves, stays = (self.ink, self.ground) if self.pair.ink else (self.ground, self.ink)
        found = nearest(moves, stays)
        return (self.pair.ink or self.pair.ground, found) if found else None


def readings(look: Look) -> list[Reading]:
    return list(_readings(look))


def _readings(look: Look) -> Iterator[Reading]:
    for pair in PAIRS:
        ground = look[pair.ground]
        ink = look[pair.ink] if pair.ink else on(ground)
        yield Reading(pair, ink, ground, ratio(ink, ground))


def failing(look: Look) -> list[Reading]:
    return [reading for reading in _readings(look) if not reading.passes]


@lru_cache(maxsize=1024)
def nearest(ink: str, ground: str, wanted: float = AA) -> str | None:
    """The colour nearest to `ink` in lightness that can be read on `ground`; none where neither black nor white can."""
    start: Any = Color(ink).convert("oklch")
    found = [each for end in (0.0, 1.0) if (each := _towards(start, end, ground, wanted))]
    lightness = start["lightness"]
    return min(found, key=lambda each: abs(Color(each).convert("oklch")["lightness"] - lightness), default=None)


def _towards(start: Any, end: float, ground: str, wanted: float) -> str | None:
    """Bisect between the colour and its darkest or lightest; the rounded hex has to pass, not the colour behind it."""
    if ratio(_hex(start, end), ground) < wanted:
        return None
    far, near = end, start["lightness"]
    for _step in range(_STEPS):
        middle = (far + near) / 2
        if ratio(_hex(start, middle), ground) >= wanted:
            far = middle
        else:
            near = middle
    return _hex(start, far)


def _hex(start: Any, lightness: float) -> str:
    """Of the same hue; with less of it where a screen could not show as much. Cut off instead, black would be blue."""
    moved = start.clone().set("lightness", lightness).convert("srgb").fit("srgb")
    return str(moved.to_string(hex=True, alpha=False))
