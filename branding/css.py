"""The stylesheet of a theme: custom properties only, with values from our lists."""

from __future__ import annotations

from collections.abc import Mapping

from branding.contrast import nearest_readable
from branding.tokens import BY_NAME, Style
from dashboard.core.colors import DARK, ratio, readable_text_color

# More than AA, so that it is enough on what the pointer is over, too.
READABLE = 5.5
_TEXT_ON = {
    "primaryColor": "--brand-on-primary",
    "secondaryColor": "--brand-on-secondary",
    "accentColor": "--brand-on-accent",
}


def properties(style: Style) -> dict[str, str]:
    """The custom properties by name."""
    values = {token.property: token.css(style[name]) for name, token in BY_NAME.items()}
    if style["headingTypography"] == "same":
        values[BY_NAME["headingTypography"].property] = values[BY_NAME["typography"].property]
    values |= {name: readable_text_color(style[background]) for background, name in _TEXT_ON.items()}
    is_filled = style["buttonStyle"] == "filled"
    primary = style["primaryColor"]
    values |= {
        "--brand-button-background": primary if is_filled else "transparent",
        "--brand-button-text": readable_text_color(primary) if is_filled else primary,
        # A theme has one set of colours, for light and dark screens.
        "--brand-scheme": "light" if readable_text_color(style["backgroundColor"]) == DARK else "dark",
    }
    return values


def visitor_properties(style: Style) -> dict[str, str]:
    """The same with readable texts: a theme may go live in which they have too little contrast."""
    values, background = properties(style), style["backgroundColor"]
    for name in ("textColor", "mutedColor"):
        if ratio(style[name], background) < READABLE:
            readable = nearest_readable(style[name], background, READABLE)
            values[BY_NAME[name].property] = readable or readable_text_color(background)
    return values


def stylesheet(style: Style) -> str:
    return _root(properties(style))


def visitor_stylesheet(style: Style) -> str:
    return _root(visitor_properties(style))


def _root(values: Mapping[str, str]) -> str:
    lines = "".join(f"  {name}: {value};\n" for name, value in values.items())
    return f":root {{\n{lines}}}\n"
