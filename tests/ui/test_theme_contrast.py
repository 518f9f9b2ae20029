"""Text has enough contrast in the light and in the dark theme, computed from the design tokens.

Any text colour may be used on any plain background, so all pairs are checked. Components use only these tokens. axe
checks the pairs that the pages really use, in the light theme (tests/browser/test_accessibility.py).
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from coloraide import Color
from django.conf import settings

CSS = Path(settings.BASE_DIR, "static", "css")
# The colours of a business are checked when it publishes them; print has no theme.
OTHER_COLOURS = {"tokens.css", "brand-sample.css", "site-preview.css", "print.css"}
# It replaces tokens with the colours of a business, and else with the tokens themselves.
BRANDED = {"online-booking.css"}

TEXTS = ("ink", "ink-2", "accent", "bad", "warn", "good")
BACKGROUNDS = ("canvas", "surface", "sunken", "hover", "pressed", "accent-tint", "bad-tint", "warn-tint", "good-tint")
# Text colours that are used on only one background.
PAIRS = [("on-fill", f"{fill}{state}") for fill in ("accent-fill", "bad-fill") for state in ("", "-hover")]
PAIRS += [("canvas", "ink")]
# Edges of controls, icons and the focus ring are not text: a contrast of 3 is enough.
EDGES = ("line-strong", "focus")
MIN_CONTRAST, MIN_EDGE_CONTRAST = 4.5, 3.0

THEMES = ("light", "dark")
_DEFINITION = re.compile(r"--([\w-]+):\s*([^;{}]+);")
_PAIR = re.compile(r"light-dark\((oklch\([^()]*\)), (oklch\([^()]*\))\)")


def definitions(css: str) -> dict[str, str]:
    return dict(_DEFINITION.findall(css))


def themes(css: str) -> dict[str, dict[str, Color]]:
    """The tokens that are one colour in each theme."""
    defined = definitions(css)
    found: dict[str, dict[str, Color]] = {theme: {} for theme in THEMES}
    for name, value in defined.items():
        plain = re.sub(r"var\(--([\w-]+)\)", lambda match: defined[match[1]], value)
        pair = _PAIR.fullmatch(plain)
        values = pair.groups() if pair else (plain, plain)
        if values[0].startswith("oklch("):
            for theme, text in zip(THEMES, values, strict=True):
                found[theme][name] = Color(text).fit("srgb")
    return found


def low_contrast_pairs(colours: dict[str, Color]) -> list[str]:
    """The pairs with too little contrast."""
    pairs = [*((pair, MIN_CONTRAST) for pair in [*itertools.product(TEXTS, BACKGROUNDS), *PAIRS])]
    pairs += [((edge, ground), MIN_EDGE_CONTRAST) for edge in EDGES for ground in ("canvas", "surface", "sunken")]
    return [
        f"{text} on {ground}: {contrast:.2f}"
        for (text, ground), minimum in pairs
        if (contrast := colours[text].contrast(colours[ground], method="wcag21")) < minimum
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_colour_has_enough_contrast_on_every_background(theme: str) -> None:
    assert low_contrast_pairs(themes((CSS / "tokens.css").read_text())[theme]) == []


def test_a_colour_without_contrast_is_found() -> None:
    tokens = (CSS / "tokens.css").read_text()
    faint = re.sub(
        r"(--ink-2: light-dark\(oklch\([^)]*\), oklch\()0\.73", r"\g<1>0.45", tokens.replace("var(--warm)", "78")
    )
    assert faint != tokens
    found = themes(faint)
    assert low_contrast_pairs(found["light"]) == []
    assert "ink-2 on surface" in " ".join(low_contrast_pairs(found["dark"]))


def components() -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(CSS.glob("*.css")) if path.name not in OTHER_COLOURS}


def used_colours(property_names: str) -> dict[str, set[str]]:
    """The colours of these properties in the components, with their files. Variables are resolved."""
    found: dict[str, set[str]] = {}
    variables: dict[str, set[str]] = {}
    tokens = definitions((CSS / "tokens.css").read_text())
    for file, css in components().items():
        for name, value in _DEFINITION.findall(css):
            if name not in tokens or file not in BRANDED:
                variables.setdefault(name, set()).add(value)
    for file, css in components().items():
        for value in re.findall(rf"(?<![\w-])(?:{property_names}):\s*([^;{{}}]+);", css):
            for name in re.findall(r"var\(--([\w-]+)\)", value) or [value]:
                for colour in _resolved(name, variables):
                    found.setdefault(colour, set()).add(file)
    return found


def _resolved(name: str, variables: dict[str, set[str]]) -> set[str]:
    if name not in variables:
        return {name}
    inner = {each for value in variables[name] for each in re.findall(r"var\(--([\w-]+)\)", value) or [value]}
    return {colour for each in inner - {name} for colour in _resolved(each, variables)}


@pytest.mark.parametrize("file", sorted(BRANDED))
def test_a_page_in_the_colours_of_a_business_has_no_other_colours(file: str) -> None:
    """Its tokens are colours of the brand, our tokens or mixtures of both."""
    tokens = definitions((CSS / "tokens.css").read_text())
    replaced = {name: value for name, value in definitions(components()[file]).items() if name in tokens}
    assert {"ink", "ink-2", "surface", "hover"} <= set(replaced)
    assert {name: value for name, value in replaced.items() if re.search(r"#|oklch\(|rgb|hsl", value)} == {}


def test_components_use_only_the_checked_text_colours() -> None:
    known = {*TEXTS, *(text for text, _ in PAIRS), *EDGES, "inherit", "currentcolor", "transparent", "canvastext"}
    assert {colour: files for colour, files in used_colours("color").items() if colour not in known} == {}
