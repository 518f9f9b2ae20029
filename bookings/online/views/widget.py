"""The widget that a website embeds: its script, the button in a frame, and the colours of a business."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from bookings.online.limits import count_page, ensure_few_pages
from bookings.online.visits import Visit, allow_frames
from dashboard.core.colors import readable_text_color
from dashboard.core.errors import DomainError, NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import public, requires
from dashboard.platform.accounts.requests import address, network
from dashboard.platform.apikeys.embedding import load_public_key
from dashboard.platform.apikeys.permissions import Permission
from dashboard.platform.apikeys.queries import load_key
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.usage.meter import count_for_platform, note_refusal
from dashboard.table import tenancy
from dashboard.web.locale import ZONES, language_of
from dashboard.web.pages import page

LOADER = Path(settings.BASE_DIR) / "static" / "widget" / "v1.js"
MAX_KEY, MAX_PARAM = 200, 100
POSITIONS = ("bottom-right", "bottom-left", "top-right", "top-left")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


@public
@require_safe
def loader(request: HttpRequest) -> HttpResponse:
    """The script that websites load. It draws two frames; everything inside them comes from here."""
    script, etag = _loader()
    headers = {
        "Cache-Control": "public, max-age=3600",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Access-Control-Allow-Origin": "*",
        "ETag": etag,
    }
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    return HttpResponse(script, content_type="text/javascript; charset=utf-8", headers=headers)


@functools.cache
def _loader() -> tuple[str, str]:
    script = LOADER.read_text()
    return script, f'"{hashlib.sha256(script.encode()).hexdigest()[:32]}"'


@public
@require_safe
def button(request: HttpRequest) -> HttpResponse:
    """The button of the widget. It tells the script where it belongs and which page it opens."""
    language = language_of(request.GET.get("lang", "")[:MAX_PARAM]) or ""
    zone = request.GET.get("tz", "")[:MAX_PARAM]
    with translation.override(language or translation.get_language()):
        secret = request.GET.get("key", "")[:MAX_KEY]
        if not secret:
            return page(request, "bookings/online/no_button.html", status=400)
        try:
            key, business, tally = load_public_key(secret, network(address(request)), lambda: count_page(request))
            ensure_few_pages(tally)
        except DomainError as error:
            note_refusal(request, error)
            return page(request, "bookings/online/no_button.html", status=error.status)
        visit = Visit(business, key, language, zone if zone in ZONES else "", [])
        position = business.position if business.position in POSITIONS else POSITIONS[0]
        context = {"visit": visit, "position": position, "panel": visit.url()}
        response = page(request, "bookings/online/button.html", context)
    response.headers["Cache-Control"] = "private, max-age=300"
    return allow_frames(response, key)


@requires(Permission.BUSINESS_KEYS)
@require_safe
def preview(request: Request, business: str, key_id: str) -> HttpResponse:
    """An empty website with the widget, for the page of the key."""
    key = load_key(business, key_id)
    if not key.is_public or not key.embed_key:
        raise NotFound
    return allow_frames(page(request, "bookings/online/preview.html", {"key": key}), key)


@public
@require_safe
def colors(request: HttpRequest, business: str) -> HttpResponse:
    """The colour of the widget as custom properties. A colour that is none is left out."""
    with tenancy.bind(tenancy.Binding(business)):
        found = find_business(business)
    if found is None:
        count_for_platform(request)
    color = (found.color or "") if found is not None else ""
    rules = ""
    if _COLOR.fullmatch(color):
        rules = f":root {{\n  --widget-color: {color};\n  --widget-text: {readable_text_color(color)};\n}}\n"
    headers = {"Cache-Control": "public, max-age=300"}
    return HttpResponse(rules, content_type="text/css; charset=utf-8", headers=headers)
