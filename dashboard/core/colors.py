"""Contrast of colours in the form `#rrggbb`."""

from __future__ import annotations

DARK, LIGHT = "#111318", "#ffffff"


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def luminance(hex_color: str) -> float:
    """The relative luminance of WCAG 2."""
    red, green, blue = (int(hex_color[at : at + 2], 16) for at in (1, 3, 5))
    return 0.2126 * _channel(red) + 0.7152 * _channel(green) + 0.0722 * _channel(blue)


def ratio(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable_text_color(background: str) -> str:
    """The dark or the light text colour, whichever has more contrast on this background."""
    return max((LIGHT, DARK), key=lambda text: ratio(text, background))
