"""The look that is in force, as a business's own apps read it. No key: their pages link the stylesheet."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Callable
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse, HttpResponseNotAllowed, HttpResponseNotModified, JsonResponse
from django.urls import reverse
from django.utils.http import parse_etags

from branding import queries
from branding.css import properties, stylesheet
from branding.items import PublishedMarker, Theme
from branding.paths import file_url
from branding.tokens import Look
from dashboard.core.errors import DomainError, NotFound
from dashboard.platform.accounts.permissions import public
from dashboard.table import tenancy
from dashboard.table.timestamps import to_wire

METHODS = ["GET", "HEAD", "OPTIONS"]
# Browsers ask each time, which costs one read; a proxy may answer for half a minute by itself.
CACHE = "public, max-age=0, must-revalidate, s-maxage=30"
PREFLIGHT_LIFE = 86_400
View = Callable[[Any, PublishedMarker, Theme], HttpResponse]


class NoTheme(DomainError):
    """404, with a word that programs can tell apart."""

    status = 404

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def of_the_world(view: View) -> Callable[..., HttpResponse]:
    """A view of what is in force, for any site's page: the marker, then the theme, two reads at the most."""

    @functools.wraps(view)
    def answer(request: Any, business: str) -> HttpResponse:
        # On failures too: without them a page's script could not read why.
        request.gate_headers = {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "ETag, X-Request-ID",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        if request.method == "OPTIONS":
            return _preflight()
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        marker = _marker(business)
        etag = _etag(marker, view.__name__)
        headers = {"ETag": etag, "Cache-Control": CACHE}
        if _has(request, etag):
            return HttpResponseNotModified(headers=headers)
        response = view(request, marker, _theme(business, marker))
        for name, value in headers.items():
            response.headers[name] = value
        return response

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # Nothing here looks at a cookie.
    return public(answer)


def _preflight() -> HttpResponse:
    headers = {
        "Allow": ", ".join(METHODS),
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
        "Access-Control-Max-Age": str(PREFLIGHT_LIFE),
    }
    return HttpResponse(status=204, headers=headers)


def _marker(business: str) -> PublishedMarker:
    """What is in force; a business that is not there has nothing in force, and no more is said of it."""
    marker = None
    if tenancy.can_be_bound(business):
        with tenancy.bind(tenancy.Binding(business)):
            marker = queries.marker(business)
    if marker is None or marker.number is None:
        raise NoTheme("no_theme", "No theme is published for this business.")
    return marker


def _theme(business: str, marker: PublishedMarker) -> Theme:
    assert marker.number is not None
    try:
        with tenancy.bind(tenancy.Binding(business)):
            return queries.theme(business, marker.number)
    except NotFound as error:
        text = f"Version {marker.number} is marked as published, but it is not there."
        raise NoTheme("theme_missing", text) from error


@functools.cache
def _form() -> str:
    """Changes when what we make of a look does, so that nobody keeps what an older release has said."""
    return hashlib.sha256(repr(properties(Look.of({}))).encode()).hexdigest()[:8]


def _etag(marker: PublishedMarker, kind: str) -> str:
    """Of the marker alone: a version that is or was in force does not change."""
    moved = repr((marker.number, marker.published_at, marker.revision, marker.told_of, kind, _form()))
    return f'"v{marker.number}-{hashlib.sha256(moved.encode()).hexdigest()[:16]}"'


def _has(request: Any, etag: str) -> bool:
    """Whether the asker has this already; packing it on the way makes an ETag weak."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in {each.removeprefix("W/") for each in known}


@of_the_world
def theme(request: Any, marker: PublishedMarker, found: Theme) -> HttpResponse:
    """The look as JSON: as it is stored, and as it is drawn."""
    look, business = found.look, found.business
    body = {
        "businessId": business,
        "version": found.number,
        "name": found.name,
        "publishedAt": to_wire(marker.published_at) if marker.published_at else None,
        "metadata": found.metadata or {},
        "tokens": look.values,
        "properties": properties(look),
        "files": {role: _file(request, asset) for role, asset in found.shown_files.items()},
        "stylesheet": request.build_absolute_uri(reverse("api_theme_css", args=[business])),
    }
    return JsonResponse(body, encoder=_Encoder)


def _file(request: Any, asset: str) -> dict[str, str | None]:
    url = file_url(asset)
    return {"id": asset, "url": request.build_absolute_uri(url) if url else None}


class _Encoder(DjangoJSONEncoder):
    """Other services may store what JSON has no word for: a set, or bytes, which are told as base64."""

    def default(self, o: Any) -> Any:
        if isinstance(o, set):
            return sorted(o, key=str)
        if isinstance(o, bytes):
            return base64.b64encode(o).decode()
        return super().default(o)


@of_the_world
def theme_css(request: Any, marker: PublishedMarker, found: Theme) -> HttpResponse:
    """The same as custom properties."""
    return HttpResponse(stylesheet(found.look), content_type="text/css; charset=utf-8")
