"""Sample screens: what a look makes of a shop. A page of its own, so that nothing of ours shows through.

The same for those who work here and for strangers with a link: who may see it is decided before.
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
from branding.items import AssetLink, Role
from branding.paths import file_url
from branding.tokens import BY_NAME, Look
from dashboard.web.pages import page

SCREENS = {
    "home": _("Shop"),
    "product": _("Product"),
    "booking": _("Booking"),
    "forum": _("Forum"),
}
FIRST = "home"
_OURS = re.compile(r".+-[0-9a-f]{32}")
# No script, no form, nothing from elsewhere; and only our own pages may frame it.
POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [SELF],
}


def sample(
    request: HttpRequest,
    look: Look,
    business_title: str,
    files: Mapping[str, str],
    screen: str,
    css_url: str,
    link_base: str,
) -> HttpResponse:
    """One sample screen. `files`: logo, banner and icon by their ids, as far as they can be shown; `link_base` is the
    address of the screens, to which `screen` is added."""
    screen = screen if screen in SCREENS else FIRST
    context = {
        "look": look,
        "shop": business_title,
        "pictures": {role: url for role, asset in files.items() if (url := file_url(asset))},
        "screen": screen,
        "label": SCREENS[screen],
        "css_url": css_url,
        "links": {each: with_query(link_base, screen=each) for each in SCREENS},
    }
    return _framed(request, f"branding/sample/{screen}.html", context | samples.content(screen))


def missing(request: HttpRequest, text: str) -> HttpResponse:
    """In place of a screen: a frame that stays empty says nothing."""
    return _framed(request, "branding/sample/missing.html", {"text": text}, status=404)


def _framed(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    response = page(request, template, context, status=status)
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    csp(POLICY)(lambda _request: response)(request)
    return response


def with_query(url: str, **values: Any) -> str:
    """An address with more said in its query."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(values)}"


def typed(query: Mapping[str, Any]) -> dict[str, str]:
    """Of what is in a query, that which is part of a look: tokens and files, as they were typed."""
    names = (*BY_NAME, *(role.value for role in Role))
    return {name: str(query[name])[:200] for name in names if name in query}


def showing(saved: Mapping[str, str], given: Mapping[str, str], known: Mapping[str, AssetLink]) -> dict[str, str]:
    """Which files a screen shows: those that are being chosen, if they are the business's; else those it has."""
    chosen = dict(saved)
    for role in Role:
        asset = given.get(role)
        if asset == "":
            chosen.pop(role.value, None)
        elif asset in known:
            chosen[role.value] = str(asset)
    return {role: asset for role, asset in chosen.items() if _is_here(asset, known.get(asset))}


def _is_here(asset: str, link: AssetLink | None) -> bool:
    """Whether the file is in our own storage; without its link, as its id says: ours hold a hash."""
    return link.file_name is not None if link is not None else bool(_OURS.fullmatch(asset))
