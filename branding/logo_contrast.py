"""The contrast of a logo with the surface on which it is displayed: the header, which has the primary colour.

A logo with transparency is compared by its visible pixels. A logo without has its own background and is not compared.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext_lazy as _
from PIL import Image

from branding.contrast import Pair, PairContrast
from branding.tokens import Style, color
from dashboard.core.colors import ratio
from dashboard.table.nested import StoredMap

# WCAG 1.4.11: the contrast of graphics.
MIN_RATIO = 3.0
LOGO_PAIR = Pair("logo", _("Logo on the header"), None, "primaryColor")
_SIDE = 64
_VISIBLE_ALPHA = 128
# Colours are grouped in steps of this size per channel, so that the shades of an edge do not count as own colours.
_STEP = 32
_MIN_PERCENT = 5
# A sign in a disc of the header's colour is visible, although most of the logo is not.
_MIN_VISIBLE_SHARE = 0.15


def visible_colors(image: Image.Image) -> dict[str, int]:
    """The main colours of a picture with transparency, with their shares in percent; empty for an opaque one."""
    if image.mode != "RGBA":
        return {}
    small = image.copy()
    small.thumbnail((_SIDE, _SIDE))
    data = small.tobytes()
    pixels = [data[at : at + 3] for at in range(0, len(data), 4) if data[at + 3] >= _VISIBLE_ALPHA]
    groups: Counter[tuple[int, ...]] = Counter(tuple(each // _STEP for each in pixel) for pixel in pixels)
    exact = Counter(pixels)
    found: dict[str, int] = {}
    for group, count in groups.most_common(8):
        percent = round(100 * count / len(pixels))
        if percent >= _MIN_PERCENT:
            members = (pixel for pixel in exact if tuple(each // _STEP for each in pixel) == group)
            found[f"#{max(members, key=lambda pixel: exact[pixel]).hex()}"] = percent
    return found


def logo_contrast(colors: Any, style: Style) -> PairContrast | None:
    """The contrast that at least 15 % of the logo reach; None if its colours are not known."""
    background = style[LOGO_PAIR.background]
    valid = _valid_colors(colors)
    if not valid:
        return None
    by_ratio = sorted(valid, key=lambda each: ratio(each, background), reverse=True)
    covered, needed = 0.0, sum(valid.values()) * _MIN_VISIBLE_SHARE
    for each in by_ratio:
        covered += valid[each]
        if covered >= needed:
            break
    return PairContrast(LOGO_PAIR, each, background, ratio(each, background), MIN_RATIO)


def _valid_colors(colors: Any) -> dict[str, float]:
    """Outside writers may store anything."""
    shares = StoredMap.of(colors)
    pairs = ((color(name), shares.number(name) or 0) for name in shares)
    return {name: share for name, share in pairs if name and share > 0}
