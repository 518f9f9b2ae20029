"""A picture among the media of a site, fetched from its host by the server when a person asks for it."""

from __future__ import annotations

from typing import cast

from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from content.items import SiteAsset
from content.library.kinds import FILES
from content.permissions import Permission
from content.queries.library import load_item
from content.site_pictures import load_picture
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.pages import see_other

_HEADERS = {
    "Cache-Control": "private, max-age=300",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Content-Disposition": "inline",
}


@requires(Permission.SITE)
@require_safe
def picture(request: Request, business: str, site_file: str) -> HttpResponse:
    """The picture itself with a valid `key`; without one, the page that offers to show it."""
    asset = cast(SiteAsset, load_item(FILES, business, site_file))
    key = request.GET.get("key")
    if key is None:
        return see_other(request, reverse("site_item", args=[business, FILES.key, site_file]))
    content, content_type = load_picture(asset, key[:200], request.person.email)
    # It is compressed already.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    response = HttpResponse(content, content_type=content_type, headers=_HEADERS)
    # The next person at this browser has another session.
    patch_vary_headers(response, ["Cookie"])
    return response
