"""Where a person goes after a change of stock."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

from django.urls import Resolver404, resolve, reverse

from dashboard.platform.accounts.middleware import Request
from dashboard.web.pages import referring_page

# Pages that a redirect may return to. The branch page gets `just`, because its index may lag.
BRANCH = "branch"
_READABLE = {"stores", BRANCH, "product", "products", "movements"}
_POSITION = {"just", "cursor", "shown"}


def back_to(request: Request, business: str, product_id: str) -> str:
    """The page that the form was on, at its start; else the page of the product."""
    address = urlsplit(referring_page(request))
    try:
        found = resolve(address.path)
    except Resolver404:
        found = None
    if found is None or found.url_name not in _READABLE or found.kwargs.get("business") != business:
        return reverse("product", args=[business, product_id])
    query = [(name, value) for name, value in parse_qsl(address.query) if name not in _POSITION]
    if found.url_name == BRANCH:
        query.append(("just", product_id))
    return f"{address.path}?{urlencode(query)}" if query else address.path
