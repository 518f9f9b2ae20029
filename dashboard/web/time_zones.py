"""The select of time zones: by city, with the current time there, and the common ones first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from itertools import groupby

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.core import clock
from dashboard.core.names import unaccented
from dashboard.web.forms import LongSelect
from dashboard.web.locale import ZONES, zone
from dashboard.web.templatetags.ui import zone_name

# The zones of most businesses and people, from south to north.
COMMON = (
    "America/Argentina/Buenos_Aires",
    "America/Santiago",
    "America/Montevideo",
    "America/Asuncion",
    "America/La_Paz",
    "America/Sao_Paulo",
    "America/Lima",
    "America/Guayaquil",
    "America/Bogota",
    "America/Caracas",
    "America/Panama",
    "America/Costa_Rica",
    "America/Guatemala",
    "America/Mexico_City",
    "America/Santo_Domingo",
    "America/New_York",
    "America/Los_Angeles",
    "Europe/Madrid",
    "UTC",
)
_COMMON = frozenset(COMMON)
_GROUP = '<optgroup label="{}">{}</optgroup>'
_NAMES = {
    "America/Bogota": "Bogotá",
    "America/Mexico_City": "Ciudad de México",
    "America/Asuncion": "Asunción",
    "America/Panama": "Panamá",
    "America/Sao_Paulo": "São Paulo",
}


def zone_choices() -> list[tuple[str, str]]:
    """The value and the label of each zone: first the common ones, then all others by city."""
    moment = clock.now().replace(second=0)
    return _choices(moment)


@lru_cache(maxsize=2)
def _choices(moment: datetime) -> list[tuple[str, str]]:
    others = sorted(ZONES - _COMMON, key=lambda name: ("/" not in name, unaccented(_city(name)), name))
    return [(name, city_label(name, moment)) for name in (*COMMON, *others)]


def city_label(name: str, moment: datetime) -> str:
    """Such as "Bogotá · 09:41 (GMT-5)"; a city that is not common has its region: "Louisville, America/Kentucky"."""
    local = moment.astimezone(zone(name))
    region = name.rpartition("/")[0].replace("_", " ")
    place = _city(name) if name in _COMMON or not region else f"{_city(name)}, {region}"
    return f"{place} · {local:%H:%M} ({zone_name(local)})"


def _city(name: str) -> str:
    return _NAMES.get(name) or name.rpartition("/")[2].replace("_", " ")


class ZoneSelect(LongSelect):
    """A select with a group of common time zones and a group of all others."""

    def render_options(self, choices: Sequence[tuple[str, str]], value: str) -> SafeString:
        parts = []
        for is_common, group in groupby(choices, key=lambda choice: choice[0] in _COMMON if choice[0] else None):
            options = super().render_options(list(group), value)
            label = _("Common time zones") if is_common else _("All time zones")
            parts.append(options if is_common is None else format_html(_GROUP, label, options))
        return SafeString("".join(parts))
