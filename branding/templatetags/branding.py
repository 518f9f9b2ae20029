"""How a look is shown in a list: by its colours."""

from __future__ import annotations

from collections.abc import Iterable

from django.template import Library
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from branding.tokens import color

register = Library()
_SIDE = 16


@register.simple_tag
def swatches(colors: Iterable[str] | None) -> SafeString:
    """Colours side by side. As a picture: a style attribute would not pass the content security policy."""
    good = [each for each in map(color, colors or ()) if each]
    if not good:
        return format_html('<span class="muted">{}</span>', _("no colours"))
    rects = format_html_join(
        "",
        '<rect x="{}" width="{}" height="{}" fill="{}"></rect>',
        ((at * _SIDE, _SIDE, _SIDE, each) for at, each in enumerate(good)),
    )
    return format_html(
        '<svg class="swatches" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>',
        len(good) * _SIDE,
        _SIDE,
        _("Colours: %(colors)s") % {"colors": ", ".join(good)},
        rects,
    )


@register.simple_tag
def swatch(value: str) -> SafeString:
    """One colour beside its name; nothing for what is none."""
    good = color(value)
    if good is None:
        return SafeString("")
    return format_html(
        '<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="{}"></rect></svg>',
        good,
    )


@register.simple_tag
def written(ink: str, ground: str) -> SafeString:
    """Two letters in one colour on another."""
    return format_html(
        '<svg class="written" viewBox="0 0 40 28" aria-hidden="true"><rect width="40" height="28" fill="{}"></rect>'
        '<text x="20" y="19.500" text-anchor="middle" fill="{}">Aa</text></svg>',
        color(ground) or "",
        color(ink) or "",
    )
