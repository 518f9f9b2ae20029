"""Text with too little contrast: in the colours of the theme, of the page, and of its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.public import AA, Style, color, failing_pairs
from content.blocks.checks import PageFinding, name_of
from content.blocks.nodes import LINK, RULE, STANDARD_NODES, Document, attrs_of, marks_of, type_of, walk
from content.blocks.plugins import PLUGINS
from dashboard.core.colors import ratio, readable_text_color

LOW_CONTRAST = gettext_lazy("The text has too little contrast with its background.")
OVER_PICTURE = gettext_lazy("The text over the picture is hard to read where the picture has a similar colour.")
OVER_EFFECT = gettext_lazy("The text has too little contrast with the colours that move behind it.")
# The level of WCAG for large text, as headlines are.
LARGE = 3.0
_BLACK, _WHITE = "#000000", "#ffffff"
_ON_CARDS = {"features", "pricing", "testimonials", "carousel", "reviewsCarousel", "contact", "leadMagnet", "codeBlock"}
_HEROES = ("hero", "videoHero")
# What the website service uses where the effect of a block does not say how much of it is covered.
_DEFAULT_COVER = 0.85
# How many other blocks a finding names.
_MAX_NUMBERS = 5


def check_contrast(document: Document | None, style: Style, override: Any = None) -> list[PageFinding]:
    """Each pair of colours of the theme once, at the first block that uses it, and then what single blocks choose.

    `override` has the colours that the page itself sets.
    """
    nodes = document or []
    style = style.with_values(override) if isinstance(override, dict) else style
    found = [*_theme_findings(nodes, style)]
    for number, node in enumerate(nodes, start=1):
        attrs = attrs_of(node)
        if type_of(node) in _HEROES:
            found += [PageFinding(number, name_of(node), *each) for each in _hero_findings(attrs, node, style)]
        if type_of(node) in PLUGINS:
            found += [PageFinding(number, name_of(node), *each) for each in _effect_findings(attrs, style)]
    return sorted(found, key=lambda each: each.number)


def _theme_findings(nodes: Document, style: Style) -> Iterator[PageFinding]:
    users: dict[str, list[int]] = {}
    for number, node in enumerate(nodes, start=1):
        for pair in set(_pairs_of(node, style)):
            users.setdefault(pair, []).append(number)
    for failing in failing_pairs(style):
        numbers = users.get(failing.pair.id)
        if not numbers:
            continue
        first, *others = numbers
        detail = f"{failing.pair.label}: {failing.ratio_text} : 1"
        if others:
            more = " …" if len(others) > _MAX_NUMBERS else ""
            listed = ", ".join(map(str, others[:_MAX_NUMBERS])) + more
            detail += ". " + _("Also in blocks %(numbers)s") % {"numbers": listed}
        yield PageFinding(first, name_of(nodes[first - 1]), LOW_CONTRAST, detail)


def _pairs_of(node: Any, style: Style) -> Iterator[str]:
    """The ids of the pairs of colours of the theme that the texts of a block use."""
    kind, attrs = type_of(node), attrs_of(node)
    if kind in STANDARD_NODES:
        if kind != RULE:
            yield "text-background"
        if any(type_of(mark) == LINK for each in walk([node]) for mark in marks_of(each)):
            yield "primary-background"
        return
    if kind not in PLUGINS or kind in {"html", "video"} or _is_over_picture(kind, attrs):
        return
    is_band = kind == "cta" and attrs.get("style") in {"band", "card"}
    yield "on-secondary" if is_band else "text-surface" if kind in _ON_CARDS else "text-background"
    if not is_band and kind not in _HEROES and (_has(attrs, "subheadline") or _has(attrs, "description")):
        yield "muted-surface" if kind in {"contact", "leadMagnet"} else "muted-background"
    if _has(attrs, "caption"):
        yield "muted-background"
    if kind in {"testimonials", "reviewsCarousel"}:
        yield "muted-surface"
    if kind == "carousel":
        yield "primary-surface"
    if _has(attrs, "ctaText") or _has(attrs, "buttonText") or kind == "pricing":
        is_filled = style["buttonStyle"] == "filled"
        yield "on-primary" if is_filled else "primary-surface" if kind in _ON_CARDS else "primary-background"


def _has(attrs: dict[str, Any], name: str) -> bool:
    value = attrs.get(name)
    return isinstance(value, str) and bool(value.strip())


def _is_over_picture(kind: str, attrs: dict[str, Any]) -> bool:
    return kind == "videoHero" or (kind == "hero" and attrs.get("style") == "cover" and _has(attrs, "imageSrc"))


def _hero_findings(attrs: dict[str, Any], node: Any, style: Style) -> Iterator[tuple[Any, str]]:
    """A picture may have any colour, so the text is measured over black and over white under the block's own colour."""
    is_over_picture = _is_over_picture(type_of(node), attrs)
    overlay = _token(attrs.get("overlayColorToken"), style) or _BLACK
    cover = _share(attrs.get("overlayOpacity"), 0.5)
    behind = [_blend(overlay, each, cover) for each in (_BLACK, _WHITE)] if is_over_picture else []
    for name in ("headline", "subheadline"):
        chosen = _token(attrs.get(f"{name}ColorToken"), style)
        if not _has(attrs, name) or not (chosen or is_over_picture):
            continue
        text = chosen or readable_text_color(overlay)
        worst = min(ratio(text, each) for each in behind or [style["backgroundColor"]])
        if worst < LARGE:
            yield OVER_PICTURE if is_over_picture else LOW_CONTRAST, _detail(attrs[name], worst)


def _effect_findings(attrs: dict[str, Any], style: Style) -> Iterator[tuple[Any, str]]:
    effect = attrs.get("effect")
    if not isinstance(effect, dict):
        return
    listed = effect.get("colors")
    colors = [effect.get("bgColor"), *(listed if isinstance(listed, list) else [])]
    cover = _share(effect.get("overlayOpacity"), _DEFAULT_COVER)
    background, text = style["backgroundColor"], style["textColor"]
    if ratio(text, background) < AA:
        return  # The pair of the theme is listed already.
    valid = [found for each in colors if (found := color(each))]
    worst = min((ratio(text, _blend(background, each, cover)) for each in valid), default=AA)
    if worst < AA:
        yield OVER_EFFECT, _detail("", worst)


def _detail(text: str, worst: float) -> str:
    """The text and its contrast, rounded down."""
    shown = f"{int(worst * 100) / 100:.2f} : 1"
    return f"“{text[:60]}” {shown}" if text else shown


def _token(value: Any, style: Style) -> str | None:
    """The colour of a token; None for the automatic one."""
    known = {"white": _WHITE, "black": _BLACK, "primary": style["primaryColor"]}
    return known.get(value) if isinstance(value, str) else None


def _share(value: Any, default: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return default
    return min(max(number, 0.0), 1.0) if number == number else default


def _blend(top: str, bottom: str, share: float) -> str:
    """The colour of `top` that covers `bottom` to this share."""
    channels = [(int(top[at : at + 2], 16), int(bottom[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(over * share + under * (1 - share)):02x}" for over, under in channels)
