"""The live theme for a business's apps. Public, because their pages link the stylesheet."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse, HttpResponseNotAllowed, HttpResponseNotModified, JsonResponse
from django.urls import reverse
from django.utils.http import parse_etags

from branding import queries
from branding.css import properties, stylesheet, visitor_properties, visitor_stylesheet
from branding.items import PublishedMarker, Theme
from branding.paths import file_url
from branding.tokens import Style
from dashboard.core.errors import DomainError, NotFound
from dashboard.platform.accounts.permissions import public
from dashboard.platform.usage.meter import count_for_platform
from dashboard.table import tenancy
from dashboard.table.timestamps import to_wire

METHODS = ["GET", "HEAD", "OPTIONS"]
# Browsers revalidate each time, which costs one read; a proxy may answer from its cache for 30 seconds.
CACHE = "public, max-age=0, must-revalidate, s-maxage=30"
PREFLIGHT_LIFE = 86_400
View = Callable[[Any, PublishedMarker, Theme], HttpResponse]


class NoTheme(DomainError):
    """404 with a code for programs."""

    status = 404

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


def public_theme_view(view: View) -> Callable[..., HttpResponse]:
    """A view of the live theme for pages of any origin: at most two reads, the marker and the theme."""

    @functools.wraps(view)
    def answer(request: Any, business: str) -> HttpResponse:
        # Also on errors: without them a script could not read the reason.
        request.gate_headers = {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": "ETag, X-Request-ID",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        if request.method == "OPTIONS":
            return _preflight()
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        marker = _load_marker(business)
        etag = _etag(marker, view.__name__)
        headers = {"ETag": etag, "Cache-Control": CACHE}
        if _is_cached(request, etag):
            return HttpResponseNotModified(headers=headers)
        response = view(request, marker, _load_theme(business, marker))
        for name, value in headers.items():
            response.headers[name] = value
        return response

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # No cookie is read.
    return public(answer)


def _preflight() -> HttpResponse:
    headers = {
        "Allow": ", ".join(METHODS),
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
        "Access-Control-Max-Age": str(PREFLIGHT_LIFE),
    }
    return HttpResponse(status=204, headers=headers)


def _load_marker(business: str) -> PublishedMarker:
    """A business that does not exist gets the same answer as one without a live version."""
    marker = None
    if tenancy.can_be_bound(business):
        with tenancy.bind(tenancy.Binding(business)):
            marker = queries.find_marker(business)
    if marker is None or marker.number is None:
        raise NoTheme("no_theme", "No theme is published for this business.")
    return marker


def _load_theme(business: str, marker: PublishedMarker) -> Theme:
    assert marker.number is not None
    try:
        with tenancy.bind(tenancy.Binding(business)):
            return queries.load_theme(business, marker.number)
    except NotFound as error:
        text = f"Version {marker.number} is marked as published, but it is not there."
        raise NoTheme("theme_missing", text) from error


@functools.cache
def _format_version() -> str:
    """Changes when a release renders themes differently, so that caches are not kept."""
    # A style with too little contrast, which both functions render differently.
    style = Style.of({"backgroundColor": "#101418"})
    return hashlib.sha256(repr((properties(style), visitor_properties(style))).encode()).hexdigest()[:8]


def _etag(marker: PublishedMarker, kind: str) -> str:
    """From the marker alone: a version that is or was live does not change."""
    state = (marker.number, marker.published_at, marker.revision, marker.described_version)
    identity = repr((*state, kind, _format_version()))
    return f'"v{marker.number}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"'


def _is_cached(request: Any, etag: str) -> bool:
    """Whether the client has this version; compression on the way makes its ETag weak."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in {each.removeprefix("W/") for each in known}


@public_theme_view
def theme(request: Any, marker: PublishedMarker, found: Theme) -> HttpResponse:
    """The theme as JSON: the stored values and the displayed ones."""
    style, business = found.style, found.business
    body = {
        "businessId": business,
        "version": found.number,
        "name": found.name,
        "publishedAt": to_wire(marker.published_at) if marker.published_at else None,
        "metadata": found.metadata or {},
        "tokens": style.values,
        "properties": properties(style),
        "files": {role: _file(found, asset) for role, asset in found.assets_by_role.items()},
        "stylesheet": settings.SITE_URL + reverse("api_theme_css", args=[business]),
    }
    return JsonResponse(body, encoder=_Encoder)


def _file(found: Theme, asset: str) -> dict[str, str | None]:
    """The branding service may name a public URL."""
    uri = found.asset_map(asset).text("uri")
    if uri.startswith("https://"):
        return {"id": asset, "url": uri}
    url = file_url(asset)
    return {"id": asset, "url": settings.SITE_URL + url if url else None}


class _Encoder(DjangoJSONEncoder):
    """Outside writers may store sets, and bytes, which become base64."""

    def default(self, o: Any) -> Any:
        if isinstance(o, set):
            return sorted(o, key=str)
        if isinstance(o, bytes):
            return base64.b64encode(o).decode()
        return super().default(o)


@public_theme_view
def theme_css(request: Any, marker: PublishedMarker, found: Theme) -> HttpResponse:
    """The theme as custom properties."""
    return _css(stylesheet(found.style))


@public_theme_view
def _visitor_css(request: Any, marker: PublishedMarker, found: Theme) -> HttpResponse:
    return _css(visitor_stylesheet(found.style))


def _css(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/css; charset=utf-8")


@public
def visitor_theme(request: Any, business: str) -> HttpResponse:
    """The stylesheet for the pages of visitors; empty where no theme is live, so that browsers report no error."""
    try:
        return _visitor_css(request, business)
    except NoTheme:
        count_for_platform(request)
        return HttpResponse("", content_type="text/css; charset=utf-8", headers={"Cache-Control": CACHE})
