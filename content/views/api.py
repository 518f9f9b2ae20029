"""Published pages and addresses for the public site of a business. Public, because visitors read them anyway."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseNotAllowed, HttpResponseNotModified
from django.utils.http import parse_etags

from content.addresses import normalized
from content.api import NO_PAGE, NO_SITE, SiteDomainBody, SiteRouteBody, encode, page_body
from content.items import Content, Route
from content.queries.pages import find_page
from content.queries.routes import follow_address
from content.site_domains import business_and_route
from content.statuses import PageStatus
from dashboard.platform.accounts.permissions import public
from dashboard.platform.businesses.addresses import can_be_business, to_domain
from dashboard.platform.businesses.queries import find_business_of_domain
from dashboard.web.api.messages import Message
from dashboard.web.api.problems import ApiError

METHODS = ["GET", "HEAD", "OPTIONS"]
# Browsers ask each time; a proxy may answer from its cache for 30 seconds.
CACHE = "public, max-age=0, must-revalidate, s-maxage=30"
PREFLIGHT_LIFE = 86_400
View = Callable[..., Message]


def public_view(view: View) -> Callable[..., HttpResponse]:
    """A view for pages of any origin, with an ETag."""

    @functools.wraps(view)
    def answer(request: Any, **parts: str) -> HttpResponse:
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
        content = encode(view(**parts))
        headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"', "Cache-Control": CACHE}
        known = parse_etags(request.headers.get("If-None-Match", ""))
        if "*" in known or headers["ETag"] in {each.removeprefix("W/") for each in known}:
            return HttpResponseNotModified(headers=headers)
        return HttpResponse(content, content_type="application/json", headers=headers)

    answer.csrf_exempt = True  # type: ignore[attr-defined]  # No cookie is read.
    return public(answer)


def _preflight() -> HttpResponse:
    headers = {
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": "If-None-Match",
        "Access-Control-Max-Age": str(PREFLIGHT_LIFE),
    }
    return HttpResponse(status=204, headers=headers)


@public_view
def site_page(business: str, node: str) -> Message:
    """A published page by its id: one read."""
    return page_body(business, _published(business, node))


@public_view
def site_route(business: str, site_path: str = "") -> Message:
    """What an address leads to: its page, or the address to redirect to. Two reads for addresses of ours."""
    return _route_body(business, normalized(site_path))


@public_view
def site_domain_route(site_domain: str, site_path: str = "") -> Message:
    """The same for a domain: two round trips if this process has answered for it a moment ago, else three."""
    slug = normalized(site_path)
    business, route = business_and_route(_domain(site_domain), slug)
    if business is None:
        raise ApiError(NO_SITE)
    return _route_body(business, slug, route)


def _route_body(business: str, slug: str, route: Route | None = None) -> SiteRouteBody:
    found = follow_address(business, slug, route)
    if not found.node:
        raise ApiError(NO_PAGE)
    page = _published(business, found.node)
    if normalized(page.slug or "") != slug:
        return SiteRouteBody(business, slug, page.slug, None)
    return SiteRouteBody(business, slug, None, page_body(business, page))


@public_view
def site_domain(site_domain: str) -> Message:
    """The business that has a domain, for the public site, which knows only the host of a request: one round trip."""
    domain = _domain(site_domain)
    business = find_business_of_domain(domain)
    if business is None or not can_be_business(business):
        raise ApiError(NO_SITE)
    return SiteDomainBody(domain, business)


def _domain(text: str) -> str:
    try:
        return to_domain(text)
    except ValidationError as error:
        raise ApiError(NO_SITE) from error


def _published(business: str, node: str) -> Content:
    """Drafts and archived pages are answered as if they did not exist."""
    page = find_page(business, node)
    if page is None or page.state != PageStatus.PUBLISHED:
        raise ApiError(NO_PAGE)
    return page
