"""The tokens of a theme. A value is a colour or a word from a list, so that no free text reaches a stylesheet.

Pure functions: a style is read from the `metadata` of a theme, which outside writers write too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from branding.metadata import value_of
from dashboard.table.nested import text_of, whole_number_of

# Versions have eight digits in their keys.
VERSION_LIMIT = 10**8
# Colours are often copied without the `#`.
_COLOR = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})", re.IGNORECASE)


def color(value: Any) -> str | None:
    """The colour as lower-case `#rrggbb`; None if the value is not a colour."""
    found = _COLOR.fullmatch((text_of(value) or "").strip())
    if found is None:
        return None
    digits = found[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def to_version(value: Any) -> int | None:
    """A version number; None if the value cannot be one."""
    number = whole_number_of(value)
    return number if number is not None and 0 <= number < VERSION_LIMIT else None


@dataclass(frozen=True)
class Option:
    """One value of a list: the stored value, its label, and its CSS."""

    value: str
    label: Promise | str
    css: str


@dataclass(frozen=True)
class Token:
    """One field of `metadata`, with the name that it has on the table and in forms."""

    name: str
    label: Promise
    default: str
    hint: Promise | str = ""
    # None for a colour.
    options: tuple[Option, ...] | None = None

    @property
    def is_color(self) -> bool:
        return self.options is None

    @property
    def property(self) -> str:
        """`primaryColor` → `--brand-primary-color`."""
        return "--brand-" + re.sub(r"([A-Z])", r"-\1", self.name).lower()

    def clean(self, value: Any) -> str | None:
        """The value as it is stored; None if it is not valid."""
        if self.options is None:
            return color(value)
        return next((option.value for option in self.options if option.value == value), None)

    def css(self, value: str) -> str:
        if self.options is None:
            return value
        return next(option.css for option in self.options if option.value == value)

    def display(self, value: Any) -> str:
        """The label of a value; an unknown value stays as it is."""
        if self.options is None:
            return color(value) or str(value)
        return str(next((option.label for option in self.options if option.value == value), value))


_SANS = "ui-sans-serif, system-ui, sans-serif"
_SERIF = "ui-serif, serif"


def _family(value: str, label: Promise, names: str, kind: str) -> Option:
    return Option(value, label, f"{names}, {kind}")


# Font stacks by kind of typeface: every system has a font of each.
FAMILIES = (
    _family("system", _("System"), "system-ui, -apple-system, 'Segoe UI', Roboto", _SANS),
    _family("humanist", _("Humanist"), "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans'", _SANS),
    _family("geometric", _("Geometric"), "Avenir, Montserrat, Corbel, 'URW Gothic'", _SANS),
    _family("grotesque", _("Grotesque"), "'Helvetica Neue', Inter, Roboto, 'Arial Nova', Arial", _SANS),
    _family("rounded", _("Rounded"), "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa", _SANS),
    _family("transitional", _("Classic serif"), "Charter, 'Bitstream Charter', 'Sitka Text', Cambria", _SERIF),
    _family("old-style", _("Old style serif"), "'Iowan Old Style', 'Palatino Linotype', P052", _SERIF),
    _family("didone", _("High contrast serif"), "Didot, 'Bodoni MT', 'Noto Serif Display', 'URW Bodoni'", _SERIF),
    _family("slab", _("Slab serif"), "Rockwell, 'Rockwell Nova', 'Roboto Slab', 'DejaVu Serif'", _SERIF),
    _family("monospace", _("Monospaced"), "ui-monospace, 'Cascadia Code', Menlo, Consolas", "monospace"),
)

TOKENS = (
    Token("primaryColor", _("Primary"), "#1d4ed8", _("Buttons, links and the header")),
    Token("secondaryColor", _("Secondary"), "#e0e7ff", _("Secondary buttons and labels")),
    Token("accentColor", _("Accent"), "#f59e0b", _("Offers, ratings and highlights")),
    Token("backgroundColor", _("Background"), "#ffffff", _("Page background")),
    Token("surfaceColor", _("Surface"), "#f5f6f8", _("Cards, fields and menus")),
    Token("textColor", _("Text"), "#1a1d23", _("Headings and body text")),
    Token("mutedColor", _("Secondary text"), "#565d6b", _("Old prices, dates, captions")),
    Token("typography", _("Typeface"), "system", _("Body text, buttons and labels"), FAMILIES),
    Token(
        "headingTypography",
        _("Heading typeface"),
        "same",
        "",
        (Option("same", _("Same as the text"), "inherit"), *FAMILIES),
    ),
    Token(
        "textSize",
        _("Text size"),
        "medium",
        "",
        (
            Option("small", _("Small"), "15px"),
            Option("medium", _("Medium"), "16px"),
            Option("large", _("Large"), "18px"),
        ),
    ),
    Token(
        "cornerRadius",
        _("Corners"),
        "medium",
        "",
        (
            Option("none", _("Square"), "0px"),
            Option("small", _("Slightly rounded"), "4px"),
            Option("medium", _("Round"), "10px"),
            Option("large", _("Very rounded"), "20px"),
            Option("full", _("Pill"), "999px"),
        ),
    ),
    Token(
        "spacing",
        _("Spacing"),
        "normal",
        "",
        (
            Option("compact", _("Compact"), "0.75"),
            Option("normal", _("Normal"), "1"),
            Option("airy", _("Spacious"), "1.35"),
        ),
    ),
    Token(
        "shadow",
        _("Shadow"),
        "soft",
        "",
        (
            Option("none", _("No shadow"), "none"),
            Option("soft", _("Soft"), "0 1px 2px rgb(0 0 0 / 8%), 0 4px 12px rgb(0 0 0 / 6%)"),
            Option("strong", _("Strong"), "0 2px 4px rgb(0 0 0 / 14%), 0 12px 32px rgb(0 0 0 / 16%)"),
        ),
    ),
    Token(
        "buttonStyle",
        _("Buttons"),
        "filled",
        "",
        (
            Option("filled", _("Filled"), "filled"),
            Option("outlined", _("Outlined"), "outlined"),
        ),
    ),
)
BY_NAME = {token.name: token for token in TOKENS}
COLORS = tuple(token for token in TOKENS if token.is_color)
# The colours that lists show, in this order.
SWATCHES = ("primaryColor", "secondaryColor", "accentColor", "backgroundColor", "surfaceColor", "textColor")
DEFAULTS = {token.name: token.default for token in TOKENS}


def swatches(metadata: Any) -> list[str]:
    """The colours that lists show for a theme; missing ones are left out."""
    found = [color(value_of(metadata, name)) for name in SWATCHES]
    return [each for each in found if each]


@dataclass(frozen=True)
class Style:
    """A valid value for each token: the one of the theme, or the default."""

    values: dict[str, str]
    # Values of outside writers that we do not know: they stay stored and are shown as the default.
    unknown: dict[str, str]

    @classmethod
    def of(cls, metadata: Any) -> Style:
        values, unknown = {}, {}
        for token in TOKENS:
            value = value_of(metadata, token.name)
            clean = token.clean(value)
            values[token.name] = clean or token.default
            if clean is None and value not in (None, ""):
                unknown[token.name] = str(value)[:80]
        return cls(values, unknown)

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def with_values(self, changes: Mapping[str, Any]) -> Style:
        """The same with unsaved values; invalid ones are ignored."""
        unsaved = {name: BY_NAME[name].clean(value) for name, value in changes.items() if name in BY_NAME}
        clean = {name: value for name, value in unsaved.items() if value}
        return Style(self.values | clean, {n: v for n, v in self.unknown.items() if n not in clean})
