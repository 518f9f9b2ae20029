"""The language and the zone of a request: the person's, else what the browser asks for."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone, translation

from dashboard.web.api import for_api

# The machine's own names for its own zone are no place.
ZONES = frozenset(zoneinfo.available_timezones() - {"localtime", "Factory"})


def zone(name: str | None) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(name if name in ZONES else "UTC")


def zone_in_words(name: str) -> str:
    """`America/Punta Arenas`, as one says it."""
    return name.replace("_", " ")


def language_of(text: str | None) -> str | None:
    """`es-CL` reads Spanish; a language we do not support is ignored."""
    try:
        return translation.get_supported_language_variant(text or "")
    except LookupError:
        return None


def _zone_of(request: Any) -> str | None:
    """The person's own, else that of the business they are at."""
    own = request.person.timezone if request.person else None
    return own or (request.business.timezone if request.business else None)


def language_and_zone(get_response: Callable[[Any], HttpResponseBase]) -> Callable[[Any], HttpResponseBase]:
    def middleware(request: Any) -> HttpResponseBase:
        own = request.person.language if request.person else None
        # Programs read English, wherever they run.
        asked = "en" if for_api(request) else translation.get_language_from_request(request)
        language = language_of(own) or asked
        with (
            translation.override(language),
            timezone.override(zone(_zone_of(request))),
        ):
            request.LANGUAGE_CODE = language
            response = get_response(request)
            response.headers.setdefault("Content-Language", language)
            return response

    return middleware
