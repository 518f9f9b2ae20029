"""What admins and owners do with a business. Each change is one transaction with its audit entries."""

from __future__ import annotations

from dashboard.core.errors import Conflict, DomainError
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import claims
from dashboard.platform.businesses.services.business_writes import apply, record_change, save, snapshot
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent


class _IdTaken(Conflict):
    """A business that has another slug by now still has its first one as its id."""


@idempotent
def create(values: dict[str, str], *, command: Command) -> Business:
    """A new business. Its id is its first slug, for ever; where that is another's id, one of its own."""
    try:
        return _create(values["slug"], values, command)
    except _IdTaken:
        return _create(f"{values['slug']}-{command.secret('id')[:8]}", values, command)


def _create(business_id: str, values: dict[str, str], command: Command) -> Business:
    business = Business.at(tenant=business_id)
    business.business_id = business_id
    apply(business, values)
    transaction = Transaction(command)
    # First, so that a taken slug is what the refusal speaks of.
    claims.take(transaction, business, slug=None, domain=None)
    transaction.create(business, otherwise=_id_taken)
    record_change(transaction, "business.create", business, after=snapshot(business), on_platform=True)
    return transaction.commit(business)


def _id_taken(item: Item | None) -> DomainError:
    """One that another service wrote may have this slug without the item that would take it."""
    if isinstance(item, Business) and item.slug == item.id:
        return claims.refusal("slug", item.slug, item)
    return _IdTaken(item)


@idempotent
def edit(business: str, values: dict[str, str], *, revision: int, command: Command) -> Business:
    """An admin changes anything about a business but its id."""
    current = queries.load_business(business)
    before = snapshot(current)
    apply(current, values)
    return save(current, before, revision=revision, command=command, on_platform=True)


# What the owners of a business decide themselves.
OWNERS = ("name", "billing_email", "language", "timezone", "color", "position")


@idempotent
def configure(business: str, values: dict[str, str], *, revision: int, command: Command) -> Business:
    """An owner changes their business: what it is called and how it wants things, not what it pays for."""
    current = queries.load_business(business)
    before = snapshot(current)
    apply(current, {name: value for name, value in values.items() if name in OWNERS})
    return save(current, before, revision=revision, command=command, on_platform=False)
