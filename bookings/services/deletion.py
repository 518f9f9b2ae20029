"""Undo of a deletion: the deleted items are written again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.queries.raw import raw_item
from bookings.services.catalog_items import CatalogItem, record_change
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction, find_result, idempotent

NOTHING_TO_RESTORE = _("There is nothing to restore.")


@idempotent
def restore(business: str, kind: str, item_id: str, *, of: str, command: Command) -> CatalogItem:
    """Restore an item that the same person deleted. `of` is the id of the command that deleted it."""
    raws = _removed(business, kind, item_id, Command(of, command.by))
    transaction = Transaction(command)
    first, *_hours = [transaction.restore(raw, _already_exists) for raw in raws]
    if not isinstance(first, CatalogItem):
        raise Refused(NOTHING_TO_RESTORE)
    record_change(transaction, "restore", first, None, None)
    return transaction.commit(first)


def _removed(business: str, kind: str, item_id: str, deletion: Command) -> list[Raw]:
    """The items that a command deleted, if it deleted this one: the item first, then the hours of a staff member."""
    raws: list[Raw] = find_result(deletion).get("removed") or []
    if not raws or not all(_belongs(raw, business, kind, item_id) for raw in raws):
        raise Refused(NOTHING_TO_RESTORE) if _exists(business, kind, item_id) else NotFound
    return raws


def _exists(business: str, kind: str, item_id: str) -> bool:
    pattern = {"service": keys.SERVICE, "provider": keys.PROVIDER, "customer": keys.CUSTOMER}[kind]
    try:
        return raw_item(pattern.key(tenant=business, **{kind: item_id})) is not None
    except BadKey:
        return False


def _belongs(raw: Raw, business: str, kind: str, item_id: str) -> bool:
    found = keys.identify(raw["PK"]["S"], raw["SK"]["S"])
    return found is not None and found[1].get("tenant") == business and found[1].get(kind) == item_id


def _already_exists(item: Item | None) -> DomainError:
    return Conflict(item, _("It already exists."))
