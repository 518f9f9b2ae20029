"""Template tags for colours, times and schedules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.template import Library
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from branding.items import ScheduledPublication
from branding.services.schedules import MISSED_REASONS
from branding.tokens import color
from dashboard.web.locale import zone
from dashboard.web.templatetags.ui import when

register = Library()
_SIDE = 16


@register.simple_tag
def swatches(colors: Iterable[str] | None) -> SafeString:
    """Colours side by side, as SVG: the content security policy forbids style attributes."""
    valid = [each for each in map(color, colors or ()) if each]
    if not valid:
        return format_html('<span class="muted">{}</span>', _("no colours"))
    rects = format_html_join(
        "",
        '<rect x="{}" width="{}" height="{}" fill="{}"></rect>',
        ((index * _SIDE, _SIDE, _SIDE, each) for index, each in enumerate(valid)),
    )
    return format_html(
        '<svg class="swatches" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>',
        len(valid) * _SIDE,
        _SIDE,
        _("Colours: %(colors)s") % {"colors": ", ".join(valid)},
        rects,
    )


@register.simple_tag
def swatch(value: str) -> SafeString:
    """One colour; nothing if the value is not a colour."""
    valid = color(value)
    if valid is None:
        return SafeString("")
    return format_html(
        '<svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect width="1" height="1" fill="{}"></rect></svg>',
        valid,
    )


@register.simple_tag
def text_sample(text: str, background: str) -> SafeString:
    """Two letters in a text colour on a background."""
    return format_html(
        '<svg class="written" viewBox="0 0 40 28" aria-hidden="true"><rect width="40" height="28" fill="{}"></rect>'
        '<text x="20" y="19.500" text-anchor="middle" fill="{}">Aa</text></svg>',
        color(background) or "",
        color(text) or "",
    )


@register.simple_tag
def when_in_zone(moment: datetime | None, zone_id: str | None) -> str:
    """A time in this time zone, not in the reader's; an unknown name counts as UTC."""
    with timezone.override(zone(zone_id)):
        return when(moment)


@register.filter
def has_same_offset(moment: datetime | None, zone_id: str | None) -> bool:
    """Whether the reader's time zone has the same offset as this one at that time."""
    if moment is None:
        return True
    return timezone.localtime(moment).utcoffset() == moment.astimezone(zone(zone_id)).utcoffset()


@register.filter
def missed_reason(reason: str | None) -> str:
    """Why a version was not published; an unknown reason stays as it is."""
    return str(MISSED_REASONS.get(reason or "", reason or ""))


@register.filter
def title_in(number: int, titles: Mapping[int, str]) -> str:
    """The title of a version; its number where the version was not read."""
    return titles.get(number) or f"v{number}"


@register.filter
def for_version(schedules: Iterable[ScheduledPublication] | None, number: int) -> list[ScheduledPublication]:
    """The schedules of one version that are not missed."""
    return [each for each in schedules or () if each.number == number and not each.missed]
