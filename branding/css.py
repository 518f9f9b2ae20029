"""The stylesheet of a theme: custom properties only, with values from our lists."""

from __future__ import annotations

from branding.tokens import BY_NAME, Style
from dashboard.core.colors import DARK, readable_text_color

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


def stylesheet(style: Style) -> str:
    lines = "".join(f"  {name}: {value};\n" for name, value in properties(style).items())
    return f":root {{\n{lines}}}\n"
