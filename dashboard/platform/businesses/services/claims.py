"""Slugs and domains are unique by transaction: what takes one stands beside the business and moves with it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Domain, Slug
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Otherwise, Transaction


def take(transaction: Transaction, business: Business, *, slug: str | None, domain: str | None) -> None:
    """Take what the business is called now, and free what it was called before; nothing where that is the same."""
    if business.slug != slug:
        _take(transaction, Slug, {"slug": business.slug}, business.id, _taken("slug", business.slug))
        _free(transaction, Slug, {"slug": slug}, business.id)
    if business.domain != domain:
        if business.domain:
            _check_others(business)
            place = {"domain": business.domain}
            _take(transaction, Domain, place, business.id, _taken("domain", business.domain))
        _free(transaction, Domain, {"domain": domain}, business.id)


def _take(
    transaction: Transaction, kind: type[Slug | Domain], place: dict[str, Any], business: str, otherwise: Otherwise
) -> None:
    free = kind.pk.does_not_exist() | (kind.business_id == business)
    actions = [kind.business_id.set(business), kind.created_at.set(now())]
    transaction.update(kind.pattern.key(**place), actions, free, otherwise)


def _free(transaction: Transaction, kind: type[Slug | Domain], place: dict[str, Any], business: str) -> None:
    """Other services write businesses without these items, and names that are no key: there may be none to free."""
    with suppress(BadKey):
        own = kind.pk.does_not_exist() | (kind.business_id == business)
        transaction.remove(kind.pattern.key(**place), own, Conflict)


def _check_others(business: Business) -> None:
    """A domain that another service gave away, without the item that would take it."""
    others = [each for each in queries.with_domain(business.domain or "") if each.id != business.id]
    if others:
        raise refusal("domain", business.domain or "", queries.find_business(others[0].id))


def _taken(field: str, value: str) -> Otherwise:
    def refuse(item: Item | None) -> Refused:
        holder = queries.find_business(item.business_id) if isinstance(item, Slug | Domain) else None
        return refusal(field, value, holder)

    return refuse


def refusal(field: str, value: str, holder: Business | None) -> Refused:
    """Whoever may choose these manages all businesses, and may know whose it is."""
    name = f"{holder.title} ({holder.id})" if holder else _("another business")
    return Refused(_("“%(value)s” belongs to %(name)s.") % {"value": value, "name": name}, field=field)
