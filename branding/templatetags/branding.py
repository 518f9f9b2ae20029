"""How a look is shown in a list: by its colours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.template import Library
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from branding.items import ScheduledPublication
from branding.services.schedules import MISSED
from branding.tokens import color
from dashboard.web.locale import zone
from dashboard.web.templatetags.ui import when

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


@register.simple_tag
def when_in(moment: datetime | None, place: str | None) -> str:
    """A moment by the clocks of a zone, whoever reads it; a name that is none reads as UTC."""
    with timezone.override(zone(place)):
        return when(moment)


@register.filter
def same_clock(moment: datetime | None, place: str | None) -> bool:
    """Whether the reader's clock shows the same as that of a zone at this moment."""
    if moment is None:
        return True
    return timezone.localtime(moment).utcoffset() == moment.astimezone(zone(place)).utcoffset()


@register.filter
def missed_because(reason: str | None) -> str:
    """Why a version did not go live; a word of another service as it is."""
    return str(MISSED.get(reason or "", reason or ""))


@register.filter
def of_version(schedules: Iterable[ScheduledPublication] | None, number: int) -> list[ScheduledPublication]:
    """What of it is to come for one version."""
    return [each for each in schedules or () if each.number == number and not each.missed]
