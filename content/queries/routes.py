"""Queries for the addresses of a site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from content.addresses import normalized
from content.items import ContentCard, Route
from content.queries.pages import cards_of
from dashboard.platform.businesses.items import Business, Domain
from dashboard.platform.businesses.queries import find_business
from dashboard.table import keys, read
from dashboard.table.attributes import from_attribute
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 50
# What the list shows.
PAGES, REDIRECTS = "pages", "redirects"
# How many redirects one address is followed through. Ours name the page, so only those of the service can be longer.
MAX_HOPS = 10
# How many addresses of one page are kept up to date with it.
MAX_OF_PAGE = 100
# With more addresses, the links of a page are not checked.
MAX_LINKABLE = 500


def route_key(business: str, slug: str) -> Key:
    return keys.ROUTE.key(tenant=business, slug=slug)


@access_pattern("Which addresses does this site have, by address?", keys.ROUTE, partition=True)
def routes(
    business: str, prefix: str = "", start_key: Any = None, *, show: str = "", limit: int = PAGE
) -> read.Page[Route]:
    """All of them, or only the addresses of pages or only redirects."""
    collection = keys.ROUTE.collection(tenant=business)
    leads_on = Path([str(Route.is_redirect.attr_name)])
    is_redirect: Condition = leads_on.is_in(True)
    if not show:
        return read.page(collection, Route, starts_with=prefix, start_key=start_key, limit=limit)
    keep = is_redirect if show == REDIRECTS else ~is_redirect
    bounds: dict[str, Any] = {"since": prefix or None, "until": prefix or None}
    return read.filter_page(collection, Route, keep, start_key=start_key, limit=limit, **bounds)


@access_pattern("Which addresses can a link of this site lead to?", keys.ROUTE, partition=True)
def linkable_addresses(business: str) -> set[str] | None:
    """None for a site with so many that not all are read."""
    collection = keys.ROUTE.collection(tenant=business)
    found = read.page(collection, Route, limit=MAX_LINKABLE, attributes=())
    if found.next_start_key:
        return None
    return {spelling for route in found.items for spelling in (route.slug, normalized(route.slug))}


@access_pattern("What does this address lead to?", keys.ROUTE)
def find_route(business: str, slug: str) -> Route | None:
    try:
        return read.get(Route, route_key(business, slug))
    except BadKey:
        return None


@access_pattern("What do these addresses lead to?", keys.ROUTE)
def find_routes(business: str, slugs: Iterable[str]) -> dict[str, Route]:
    """By address; only those that exist, read consistently."""
    found = read.get_many(list(_route_keys(business, slugs)))
    return {route.slug: route for route in found if isinstance(route, Route)}


def _route_keys(business: str, slugs: Iterable[str]) -> Iterator[Key]:
    for slug in dict.fromkeys(slugs):
        try:
            yield route_key(business, slug)
        except BadKey:
            continue


@access_pattern("Which addresses lead to this page?", keys.ROUTES_TO)
def routes_to(business: str, node: str, limit: int = MAX_OF_PAGE) -> list[Route]:
    """From the index. A redirect of the service names no page, so it is not among them."""
    try:
        collection = keys.ROUTES_TO.collection(tenant=business, node=node)
    except BadKey:
        return []
    return read.page(collection, Route, limit=limit).items


@access_pattern(
    "Has this business this domain, and what does its address lead to?", keys.TENANT, keys.DOMAIN, keys.ROUTE
)
def find_route_of_domain(business: str, domain: str, slug: str) -> tuple[bool, Route | None]:
    """Read consistently, in one call: whether the domain is of this business, and the route."""
    reads = [keys.TENANT.key(tenant=business), keys.DOMAIN.key(domain=domain)]
    with suppress(BadKey):
        reads.append(route_key(business, slug))
    owner, reservation, *routes = read.get_many(reads)
    is_reserved_by_another = isinstance(reservation, Domain) and reservation.business_id != business
    is_owner = isinstance(owner, Business) and owner.domain == domain and not is_reserved_by_another
    return is_owner, next((each for each in routes if isinstance(each, Route)), None)


@dataclass(frozen=True)
class Destination:
    """Where an address leads: through which other addresses, and to which page. Without a page, nowhere."""

    slug: str
    hops: list[str] = field(default_factory=list)
    node: str = ""
    card: ContentCard | None = None
    # It is in a circle, or longer than we follow.
    is_endless: bool = False

    @property
    def is_redirect(self) -> bool:
        return self.card is not None and normalized(self.card.slug or "") != self.slug


def find_destination(business: str, slug: str) -> Destination:
    """Follow an address to its page. Redirects of ours name the page; those of the service are followed one by one."""
    found = follow_address(business, slug)
    return replace(found, card=cards_of(business, [found.node]).get(found.node)) if found.node else found


def follow_address(business: str, slug: str, first: Route | None = None) -> Destination:
    """The same without reading the card of the page. `first` is the route of the address if it was read already."""
    current, hops = slug, list[str]()
    for _hop in range(MAX_HOPS):
        route = first if first is not None and not hops else find_route(business, current)
        if route is None:
            return Destination(slug, hops)
        if route.node:
            return Destination(slug, hops, route.node)
        current = normalized(route.redirect_to or "") if route.redirect_to else ""
        if not current:
            return Destination(slug, hops)
        if current == slug or current in hops:
            return Destination(slug, hops, is_endless=True)
        hops.append(current)
    return Destination(slug, hops, is_endless=True)


def url_prefixes(business: str) -> list[str]:
    """The addresses that the settings of the business reserve for its shop."""
    found = find_business(business)
    stored = from_attribute(found.raw["urlPrefixes"]) if found is not None and "urlPrefixes" in found.raw else None
    values = stored.values() if isinstance(stored, dict) else stored if isinstance(stored, list) else []
    return [str(value) for value in values if isinstance(value, str) and value.strip("/ ")]
