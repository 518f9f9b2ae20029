"""Sample screens of a shop in a theme. Each is a separate page, so that our own styles do not apply.

The views check who may see them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from branding import samples
from branding.items import AssetLink, AssetRole
from branding.paths import file_url
from branding.tokens import BY_NAME, Style
from dashboard.web.pages import page

SCREENS = {
    "home": _("Shop"),
    "product": _("Product"),
    "booking": _("Booking"),
    "forum": _("Forum"),
}
DEFAULT_SCREEN = "home"
_OWN_ASSET_ID = re.compile(r".+-[0-9a-f]{32}")
# No scripts, no forms, nothing from other origins; only our own pages may frame it.
POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [SELF],
}


def render_sample(
    request: HttpRequest,
    style: Style,
    business_title: str,
    files: Mapping[str, str],
    screen: str,
    css_url: str,
    link_base: str,
) -> HttpResponse:
    """Render one sample screen. `files` maps roles to asset ids; `link_base` is the URL to which `screen` is added."""
    screen = screen if screen in SCREENS else DEFAULT_SCREEN
    context = {
        "shop": business_title,
        "pictures": {role: url for role, asset in files.items() if (url := file_url(asset))},
        "screen": screen,
        "label": SCREENS[screen],
        "css_url": css_url,
        "links": {each: with_query(link_base, screen=each) for each in SCREENS},
    }
    return _render(request, f"branding/sample/{screen}.html", context | samples.content(screen))


def render_missing(request: HttpRequest, text: str) -> HttpResponse:
    """The text that the frame shows if the version does not exist."""
    return _render(request, "branding/sample/missing.html", {"text": text}, status=404)


def _render(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = page(request, template, context, status=status)
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    csp(POLICY)(lambda _request: response)(request)
    return response


def with_query(url: str, **values: Any) -> str:
    """The URL with further query parameters."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(values)}"


def unsaved_values(query: Mapping[str, Any]) -> dict[str, str]:
    """The tokens and files in a query, unchecked."""
    names = (*BY_NAME, *(role.value for role in AssetRole))
    return {name: str(query[name])[:200] for name in names if name in query}


def displayed_assets(
    saved: Mapping[str, str], unsaved: Mapping[str, str], links: Mapping[str, AssetLink]
) -> dict[str, str]:
    """The files of a screen: the unsaved choice if the business has the file, else the saved one."""
    chosen = dict(saved)
    for role in AssetRole:
        asset = unsaved.get(role)
        if asset == "":
            chosen.pop(role.value, None)
        elif asset in links:
            chosen[role.value] = str(asset)
    return {role: asset for role, asset in chosen.items() if _is_stored_here(asset, links.get(asset))}


def _is_stored_here(asset: str, link: AssetLink | None) -> bool:
    """Whether the file is in our storage; without its link, decided by its id, which contains a hash."""
    return link.file_name is not None if link is not None else bool(_OWN_ASSET_ID.fullmatch(asset))
