"""Which business has the domain of a site: remembered by this process for a moment, so that a page costs two reads."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock

from content.items import Route
from content.queries.routes import find_route_of_domain
from dashboard.core.clock import now
from dashboard.platform.businesses.addresses import can_be_business
from dashboard.platform.businesses.queries import find_business_of_domain

LIFE = timedelta(seconds=30)
MAX_DOMAINS = 1_000


class RememberedDomains:
    """The businesses of the domains that were asked for last."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        self._lock = Lock()

    def find(self, domain: str) -> str | None:
        with self._lock:
            business, until = self._found.get(domain, ("", now()))
        return business if until > now() else None

    def remember(self, domain: str, business: str) -> None:
        with self._lock:
            self._found[domain] = business, now() + LIFE
            self._found.move_to_end(domain)
            while len(self._found) > MAX_DOMAINS:
                self._found.popitem(last=False)

    def forget(self, domain: str) -> None:
        with self._lock:
            self._found.pop(domain, None)


remembered = RememberedDomains()


def business_and_route(domain: str, slug: str) -> tuple[str | None, Route | None]:
    """The business that has a domain, and the route of an address if it was read with it.

    One round trip. A remembered business is read with the route: one that lost the domain is not answered.
    """
    known = remembered.find(domain)
    if known is not None:
        is_owner, route = find_route_of_domain(known, domain, slug)
        if is_owner:
            return known, route
        remembered.forget(domain)
    business = find_business_of_domain(domain)
    if business is None or not can_be_business(business):
        return None, None
    remembered.remember(domain, business)
    return business, None
