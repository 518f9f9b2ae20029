"""Manual redirects: add, change and remove. Those of renamed pages are made with the page (page_routes.py)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.addresses import FIXED_TEXT, ensure_available, is_fixed, normalized
from content.items import Content, Route
from content.queries.pages import find_page
from content.queries.routes import find_destination, find_route, url_prefixes
from content.services.audit import record_route_change
from content.services.page_routes import TARGET_ATTRIBUTES, make_redirect, manual_redirect
from dashboard.core.errors import NotFound, Refused, StaleRevision
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent

NOWHERE = _("No page of this site has this address.")
TO_ITSELF = _("It is the address of this page already.")


@idempotent
def add_redirect(business: str, slug: str, target: str, *, command: Command) -> Route:
    """Let an address lead to the page that `target` leads to. It stays with the page when the page is renamed."""
    slug = normalized(slug)
    if is_fixed(slug):
        raise Refused(FIXED_TEXT, "slug")
    ensure_available(slug, url_prefixes(business))

    def attempt() -> Route:
        page = _target_page(business, target)
        if find_route(business, slug) is not None:
            text = _("%(slug)s is in use. Open it in the list to see where it leads.")
            raise Refused(text % {"slug": slug}, "slug")
        route = manual_redirect(business, slug, page.node, str(page.slug), command)
        transaction = Transaction(command)
        transaction.create(route, on_failure=StaleRevision)
        _require_unchanged(transaction, page)
        record_route_change(transaction, "create", business, slug, None, _audit_values(route, page))
        return transaction.commit(route)

    return retry_on(StaleRevision, attempt)


@idempotent
def change_redirect(business: str, slug: str, target: str, *, command: Command) -> Route:
    """Let a redirect lead to another page. One of the website service names its page from then on."""

    def attempt() -> Route:
        route, page = _load_redirect(business, slug), _target_page(business, target)
        if normalized(str(page.slug)) == route.slug:
            raise Refused(TO_ITSELF, "target")
        before = {"redirect_to": route.redirect_to or ""}
        route.node = page.node
        make_redirect(route, str(page.slug))
        transaction = Transaction(command)
        transaction.save_unversioned(route, route.unchanged(*TARGET_ATTRIBUTES), StaleRevision)
        _require_unchanged(transaction, page)
        record_route_change(transaction, "change", business, slug, before, _audit_values(route, page))
        return transaction.commit(route, before)

    return retry_on(StaleRevision, attempt)


@idempotent
def remove_redirect(business: str, slug: str, *, command: Command) -> Route:
    """Remove a redirect: the address is free then. The address of a page is never removed."""

    def attempt() -> Route:
        route = _load_redirect(business, slug)
        transaction = Transaction(command)
        transaction.remove(route.key, route.unchanged(*TARGET_ATTRIBUTES), StaleRevision)
        record_route_change(transaction, "remove", business, slug, {"redirect_to": route.redirect_to or ""}, None)
        transaction.commit(None)
        return route

    return retry_on(StaleRevision, attempt)


def _load_redirect(business: str, slug: str) -> Route:
    route = find_route(business, slug)
    if route is None:
        raise NotFound
    if is_fixed(slug):
        raise Refused(FIXED_TEXT, "slug")
    if not route.leads_elsewhere:
        raise Refused(_("This is the address of a page. Change it on the page."), "slug")
    return route


def _target_page(business: str, target: str) -> Content:
    node = find_destination(business, normalized(target)).node
    page = find_page(business, node) if node else None
    if page is None or not page.slug:
        raise Refused(NOWHERE, "target")
    return page


def _require_unchanged(transaction: Transaction, page: Content) -> None:
    """The redirect names the address that the page has now: a rename at the same time changes it."""
    transaction.check(page.key, page.unchanged("slug"), StaleRevision)


def _audit_values(route: Route, page: Content) -> dict[str, str]:
    return {"redirect_to": route.redirect_to or "", "page": page.display_title}
