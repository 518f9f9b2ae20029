"""The language and the time zone of a request: the person's, else those of the browser and the business."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone, translation

from dashboard.web.api import for_api

# Names for the zone of the machine itself are excluded.
ZONES = frozenset(zoneinfo.available_timezones() - {"localtime", "Factory"})


def zone(name: str | None) -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(name if name in ZONES else "UTC")


def zone_label(name: str) -> str:
    """The name of a time zone for people: `America/Punta Arenas`."""
    return name.replace("_", " ")


def language_of(text: str | None) -> str | None:
    """The supported language for a code such as `es-CL`, or None."""
    try:
        return translation.get_supported_language_variant(text or "")
    except LookupError:
        return None


def _zone_of(request: Any) -> str | None:
    """The time zone of the person, else of the current business."""
    own = request.person.timezone if request.person else None
    return own or (request.business.timezone if request.business else None)


def language_and_zone(get_response: Callable[[Any], HttpResponseBase]) -> Callable[[Any], HttpResponseBase]:
    def middleware(request: Any) -> HttpResponseBase:
        own = request.person.language if request.person else None
        # The API always answers in English.
        requested = "en" if for_api(request) else translation.get_language_from_request(request)
        language = language_of(own) or requested
        with (
            translation.override(language),
            timezone.override(zone(_zone_of(request))),
        ):
            request.LANGUAGE_CODE = language
            response = get_response(request)
            response.headers.setdefault("Content-Language", language)
            return response

    return middleware
