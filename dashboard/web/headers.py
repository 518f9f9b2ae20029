"""Response headers that Django has no setting for."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_vary_headers

from dashboard.web.api import for_api

_UNUSED = "accelerometer browsing-topics camera display-capture geolocation gyroscope magnetometer "
_UNUSED += "microphone midi payment usb"
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in _UNUSED.split())


def headers(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if for_api(request):
            _add_api_headers(request, response)
        # Also redirects and error pages, which a cache may otherwise keep together with the host of one request.
        response.headers.setdefault("Cache-Control", "no-store, private")
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        # Django's own middleware comes later in the chain and does not see every response.
        # A page that other websites show in a frame names them in its content security policy.
        if not getattr(response, "xframe_options_exempt", False):
            response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    return middleware


def _add_api_headers(request: HttpRequest, response: HttpResponseBase) -> None:
    """Add the CORS headers also to errors: otherwise a script could not read them."""
    for name, value in getattr(request, "gate_headers", {}).items():
        response.headers[name] = value
    if response.headers.get("Access-Control-Allow-Origin") != "*":
        patch_vary_headers(response, ["Origin"])
