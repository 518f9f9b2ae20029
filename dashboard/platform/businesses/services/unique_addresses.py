"""Slugs and domains are unique: an item reserves each one in the transaction that writes the business."""

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
from dashboard.table.transactions import ErrorFactory, Transaction


def reserve(transaction: Transaction, business: Business, *, slug: str | None, domain: str | None) -> None:
    """Reserve the current slug and domain of a business, and release the previous ones if they differ."""
    if business.slug != slug:
        _reserve(transaction, Slug, {"slug": business.slug}, business.id, _refuse_taken("slug", business.slug))
        _release(transaction, Slug, {"slug": slug}, business.id)
    if business.domain != domain:
        if business.domain:
            _ensure_domain_unused(business)
            parts = {"domain": business.domain}
            _reserve(transaction, Domain, parts, business.id, _refuse_taken("domain", business.domain))
        _release(transaction, Domain, {"domain": domain}, business.id)


def release_all(transaction: Transaction, business: Business) -> None:
    """Release the addresses of a business that is removed."""
    _release(transaction, Slug, {"slug": business.slug}, business.id)
    if business.domain:
        _release(transaction, Domain, {"domain": business.domain}, business.id)


def _reserve(
    transaction: Transaction, kind: type[Slug | Domain], parts: dict[str, Any], business: str, on_failure: ErrorFactory
) -> None:
    is_free = kind.pk.does_not_exist() | (kind.business_id == business)
    actions = [kind.business_id.set(business), kind.created_at.set(now())]
    transaction.update(kind.key_pattern.key(**parts), actions, is_free, on_failure)


def _release(transaction: Transaction, kind: type[Slug | Domain], parts: dict[str, Any], business: str) -> None:
    """Businesses of outside writers may have no such item, or a value that no key can contain."""
    with suppress(BadKey):
        is_own = kind.pk.does_not_exist() | (kind.business_id == business)
        transaction.remove(kind.key_pattern.key(**parts), is_own, Conflict)


def _ensure_domain_unused(business: Business) -> None:
    """Refuse a domain that an outside writer has given to another business without a domain item."""
    others = [each for each in queries.businesses_with_domain(business.domain or "") if each.id != business.id]
    if others:
        raise taken_error("domain", business.domain or "", queries.find_business(others[0].id))


def _refuse_taken(field: str, value: str) -> ErrorFactory:
    def refuse(item: Item | None) -> Refused:
        holder = queries.find_business(item.business_id) if isinstance(item, Slug | Domain) else None
        return taken_error(field, value, holder)

    return refuse


def taken_error(field: str, value: str, holder: Business | None) -> Refused:
    """The error names the other business: only admins can set slugs and domains, and they may see all businesses."""
    name = f"{holder.title} ({holder.id})" if holder else _("another business")
    return Refused(_("“%(value)s” is already used by %(name)s.") % {"value": value, "name": name}, field=field)
