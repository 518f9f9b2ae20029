"""Changes to businesses by admins and owners. Each one is a transaction with its audit entries."""

from __future__ import annotations

from dashboard.core.errors import Conflict, DomainError
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.fields import OWNER_FIELDS
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import ownerless, unique_addresses
from dashboard.platform.businesses.services.business_writes import apply, audit_values, record_change, save
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent


class _IdTaken(Conflict):
    """The id is taken by a business whose slug has changed since."""


@idempotent
def create(values: dict[str, str], *, command: Command) -> Business:
    """Create a business. Its id is its first slug, or the slug with a suffix if that id is taken."""
    try:
        return _create(values["slug"], values, command)
    except _IdTaken:
        return _create(f"{values['slug']}-{command.secret('id')[:8]}", values, command)


def _create(business_id: str, values: dict[str, str], command: Command) -> Business:
    business = Business.new(tenant=business_id)
    business.business_id = business_id
    apply(business, values)
    transaction = Transaction(command)
    # Before the business, so that the error names a taken slug first.
    unique_addresses.reserve(transaction, business, slug=None, domain=None)
    transaction.create(business, on_failure=_id_taken)
    transaction.remove(keys.UNKNOWN_BUSINESS.key(business_id=business_id))
    ownerless.mark(transaction, business)
    record_change(transaction, "business.create", business, after=audit_values(business), on_platform=True)
    return transaction.commit(business)


def _id_taken(item: Item | None) -> DomainError:
    """A business of an outside writer may have this slug without a slug item."""
    if isinstance(item, Business) and item.slug == item.id:
        return unique_addresses.taken_error("slug", item.slug, item)
    return _IdTaken(item)


@idempotent
def edit(business: str, values: dict[str, str], *, revision: int, command: Command) -> Business:
    """An admin changes any field of a business except its id."""
    current = queries.load_business(business)
    before = audit_values(current)
    apply(current, values)
    return save(current, before, revision=revision, command=command, on_platform=True)


@idempotent
def configure(business: str, values: dict[str, str], *, revision: int, command: Command) -> Business:
    """An owner changes the name and the settings of their business."""
    current = queries.load_business(business)
    before = audit_values(current)
    apply(current, {name: value for name, value in values.items() if name in OWNER_FIELDS.names})
    return save(current, before, revision=revision, command=command, on_platform=False)
