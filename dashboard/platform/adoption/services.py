"""Adopting an unknown id as a business, and undoing it."""

from __future__ import annotations

from hashlib import sha256

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import CANNOT_BE_ADOPTED, UnknownBusiness
from dashboard.platform.adoption.kinds import MAX_KINDS, MAX_NAME
from dashboard.platform.businesses.addresses import MAX_SLUG, can_be_business, suggest_slug_for_id
from dashboard.platform.businesses.items import Business, BusinessStatus, Plan
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.businesses.services import ownerless, unique_addresses
from dashboard.platform.businesses.services.business_writes import audit_values, record_change
from dashboard.table import keys, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.read import gather_all
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

ADOPT, UNADOPT = "business.adopt", "business.unadopt"


@idempotent
def adopt(business: str, *, name: str = "", slug: str = "", command: Command) -> Business:
    """Create the business of an unknown id. Its items stay as they are. Without a slug, a free one is derived."""
    if not can_be_business(business):
        raise Refused(CANNOT_BE_ADOPTED)
    unknown = queries.find_unknown_business(business)
    if unknown is None:
        raise _not_unknown(find_business(business))
    name = name or unknown.name or business
    try:
        return _adopt(business, name, slug, command) if slug else _adopt_with_free_slug(business, name, command)
    except Conflict:
        # The follower may have recorded it at the moment when somebody adopted it.
        write.remove(unknown.key)
        raise


def _adopt_with_free_slug(business: str, name: str, command: Command) -> Business:
    slug = suggest_slug_for_id(business, name)
    try:
        return _adopt(business, name, slug, command)
    except Refused:
        # Another business has the slug. An id has one suffix, so that the same command gives the same slug.
        suffix = sha256(business.encode()).hexdigest()[:8]
        return _adopt(business, name, f"{slug[: MAX_SLUG - 9]}-{suffix}", command)


def _adopt(business: str, name: str, slug: str, command: Command) -> Business:
    adopted = Business.new(tenant=business)
    adopted.business_id, adopted.name, adopted.slug = business, name[:MAX_NAME], slug
    adopted.status, adopted.plan = BusinessStatus.ACTIVE, Plan.FREE
    transaction = Transaction(command)
    # Before the slug: of two people who adopt the same id, the second one reads that it was adopted.
    transaction.create(adopted, on_failure=_not_unknown)
    unique_addresses.reserve(transaction, adopted, slug=None, domain=None)
    transaction.remove(keys.UNKNOWN_BUSINESS.key(business_id=business))
    ownerless.mark(transaction, adopted)
    record_change(transaction, ADOPT, adopted, after=audit_values(adopted), on_platform=True)
    return transaction.commit(adopted)


def _not_unknown(item: Item | None) -> DomainError:
    """The error for an id that somebody has adopted, or that is not in the list any more."""
    if isinstance(item, Business):
        return Conflict(item, _("This id is already a business."))
    return NotFound()


@idempotent
def undo_adoption(business: str, *, revision: int, command: Command) -> UnknownBusiness:
    """Remove the business again, unless something was done in it. The items of outside writers stay."""
    current = find_business(business)
    if current is None:
        raise Conflict(None, _("This business no longer exists."))
    if _is_used(current):
        raise Refused(_("This business has been used since it was adopted. It was kept."))
    unknown = _rebuild(current)
    transaction = Transaction(command)
    transaction.delete(current, revision=revision)
    unique_addresses.release_all(transaction, current)
    ownerless.unmark(transaction, current.id)
    transaction.create(unknown, on_failure=Conflict)
    record_change(transaction, UNADOPT, current, before=audit_values(current), on_platform=True)
    return transaction.commit(unknown)


def _is_used(business: Business) -> bool:
    """Whether its trail has an entry of ours after its adoption. Entries of outside writers have no command."""
    since = to_wire(business.created_at) if business.created_at else ""
    page = queries.entries_since(business.id, since)
    ours = [entry for entry in page.items if entry.operation and entry.action not in {ADOPT, UNADOPT}]
    was_adopted = any(entry.action == ADOPT for entry in page.items)
    return bool(ours) or page.next_start_key is not None or not was_adopted


def _rebuild(business: Business) -> UnknownBusiness:
    """What the follower would record about this id."""
    unknown = UnknownBusiness.new(business_id=business.id)
    kinds = queries.summarize_kinds(gather_all(queries.contents_reads(business.id)), None)[:MAX_KINDS]
    unknown.kinds = {each.kind: {"pk": each.example.pk, "sk": each.example.sk} for each in kinds}
    unknown.name = business.name if business.name != business.id else None
    unknown.first_seen_at = unknown.last_seen_at = now()
    return unknown
