"""A look as a stylesheet: custom properties and nothing else, each value out of our own lists."""

from __future__ import annotations

from branding.tokens import BY_NAME, Look, on

_ON = {
    "primaryColor": "--brand-on-primary",
    "secondaryColor": "--brand-on-secondary",
    "accentColor": "--brand-on-accent",
}


def properties(look: Look) -> dict[str, str]:
    """What an app's stylesheet can use, by name."""
    found = {token.property: token.css(look[name]) for name, token in BY_NAME.items()}
    if look["headingTypography"] == "same":
        found[BY_NAME["headingTypography"].property] = found[BY_NAME["typography"].property]
    found |= {name: on(look[background]) for background, name in _ON.items()}
    filled = look["buttonStyle"] == "filled"
    primary = look["primaryColor"]
    found |= {
        "--brand-button-background": primary if filled else "transparent",
        "--brand-button-text": on(primary) if filled else primary,
    }
    return found


def stylesheet(look: Look) -> str:
    lines = "".join(f"  {name}: {value};\n" for name, value in properties(look).items())
    return f":root {{\n{lines}}}\n"
