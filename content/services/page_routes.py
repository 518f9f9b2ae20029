"""The addresses of a page, as steps of the transaction that saves it: one live address, and redirects to it.

A redirect names its page and the address that the page has in the same transaction. So the redirects of a page never
lead to each other, in whatever order people rename it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from content.addresses import is_fixed
from content.items import Route
from content.queries.pages import cards_of
from content.queries.routes import find_destination, find_route, find_routes, routes_to
from dashboard.core.clock import now
from dashboard.core.errors import DomainError, Refused, StaleRevision
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import MAX_STEPS, Transaction

# What a route leads to: a change of these makes a plan stale.
TARGET_ATTRIBUTES = ("TargetNode", "IsRedirect", "RedirectTo")
_DOMAIN = "localhost"


@dataclass(frozen=True)
class RoutePlan:
    """The changes of routes that follow when a page has an address."""

    # Needed for the address: the live route, and the redirects that live routes become.
    changes: list[Route] = field(default_factory=list)
    created: list[Route] = field(default_factory=list)
    # Redirects that name an earlier address of the page. They still lead to it, but for the service in two steps.
    outdated: list[Route] = field(default_factory=list)
    # Those of them that did not fit into the transaction.
    left_over: list[Route] = field(default_factory=list)

    def add_to(self, transaction: Transaction, *, kept_free: int = 0) -> None:
        """`kept_free` is how many steps of the transaction something else needs."""
        for route in self.created:
            transaction.create(route, on_failure=_taken_meanwhile)
        room = max(transaction.free_steps - kept_free - len(self.changes), 0)
        for route in [*self.changes, *self.outdated[:room]]:
            transaction.save_unversioned(route, route.unchanged(*TARGET_ATTRIBUTES), StaleRevision)
        self.left_over.extend(self.outdated[room:])


def plan_routes(
    business: str, node: str, slug: str, old_slug: str | None, command: Command, *, title: str | None = None
) -> RoutePlan:
    """Make `slug` the live address of a page, and redirects of its others. Refuse an address of another page."""
    known = [route.slug for route in routes_to(business, node)]
    found = find_routes(business, [slug, *([old_slug] if old_slug else []), *known])
    plan = RoutePlan()
    target = found.pop(slug, None)
    if target is None:
        plan.created.append(_live_route(business, node, slug, command, title))
    else:
        found |= find_routes(business, _addresses_on_the_way(business, node, target))
        found.pop(slug, None)
        _make_live(target, node, title)
        if target.changes():
            plan.changes.append(target)
    if old_slug and old_slug != slug and old_slug not in found and not is_fixed(old_slug):
        redirect = _live_route(business, node, old_slug, command)
        make_redirect(redirect, slug)
        plan.created.append(redirect)
    for route in found.values():
        if route.node != node:
            continue
        was_live = not route.leads_elsewhere
        make_redirect(route, slug)
        if route.changes():
            (plan.changes if was_live else plan.outdated).append(route)
    return plan


def plan_title(business: str, node: str, slug: str | None, title: str | None) -> RoutePlan | None:
    """Note a new title at the address of a page; None where the address does not lead to it."""
    route = find_route(business, slug) if slug else None
    if route is None or route.node != node or route.leads_elsewhere:
        return None
    route.title = title
    return RoutePlan(changes=[route] if route.changes() else [])


def _live_route(business: str, node: str, slug: str, command: Command, title: str | None = None) -> Route:
    """As the service writes it."""
    route = Route.new(tenant=business, slug=slug)
    route.type, route.domain = "Route", _DOMAIN
    route.made_at, route.made_by = now(), command.by.email
    _make_live(route, node, title)
    return route


def _make_live(route: Route, node: str, title: str | None) -> None:
    route.node, route.title = node, title or None
    route.is_redirect = route.redirect_to = route.is_manual = None


def make_redirect(route: Route, slug: str) -> None:
    route.is_redirect, route.redirect_to, route.title = True, slug, None


def _addresses_on_the_way(business: str, node: str, route: Route) -> list[str]:
    """Refuse the address of another page. Its own is free, and so is a redirect of the service.

    Unless that leads to another page. Returns the addresses through which it leads to this one.
    """
    if route.node == node:
        return []
    destination = None if route.node else find_destination(business, route.slug)
    if destination is not None and destination.node in ("", node):
        return destination.hops
    raise _taken(business, route, route.node or (destination.node if destination else ""))


def _taken(business: str, route: Route, node: str) -> Refused:
    card = cards_of(business, [node]).get(node)
    title = card.display_title if card is not None else node
    if route.leads_elsewhere:
        text = _("%(slug)s is a redirect to “%(title)s”. Remove the redirect first.")
    else:
        text = _("%(slug)s is the address of “%(title)s”.")
    return Refused(text % {"slug": route.slug, "title": title}, "slug")


def _taken_meanwhile(_route: Item | None) -> DomainError:
    return StaleRevision()


def manual_redirect(business: str, slug: str, node: str, target: str, command: Command) -> Route:
    """A redirect that a person adds, to a page that has the address `target` now."""
    route = _live_route(business, node, slug, command)
    make_redirect(route, target)
    route.is_manual = True
    return route


def update_left_over(business: str, node: str, slug: str, plan: RoutePlan, command: Command) -> None:
    """Let the redirects that did not fit into the transaction name the address too, if the page still has it.

    Until then they lead to the page in two steps. This comes after the commit, so it never fails.
    """
    left = [route.slug for route in plan.left_over]
    for start in range(0, len(left), MAX_STEPS - 2):
        found = find_routes(business, [slug, *left[start : start + MAX_STEPS - 2]])
        live = found.pop(slug, None)
        if live is None or live.node != node or live.leads_elsewhere:
            return
        transaction = Transaction(command.part(f"redirects {slug} {start}"))
        transaction.check(live.key, live.unchanged(*TARGET_ATTRIBUTES), StaleRevision)
        for route in found.values():
            if route.node == node and route.leads_elsewhere:
                make_redirect(route, slug)
                transaction.save_unversioned(route, route.unchanged(*TARGET_ATTRIBUTES), StaleRevision)
        transaction.commit(None)
