"""What nobody has booked yet can be deleted, and comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.items import Customer, Provider, Service
from bookings.queries.raw import raw_item
from bookings.services.audit import record_change
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction, find_done, idempotent

# The record of a command has 400 KB, as every item.
MOST = 300_000
Kept = Service | Provider | Customer


def kept(raws: Sequence[Raw]) -> dict[str, Any]:
    """What was deleted, for the record of the command; nothing where that cannot be written down."""
    try:
        text = json.dumps(list(raws))
    except TypeError:  # Bytes of another service.
        return {}
    return {"removed": json.loads(text)} if len(text) <= MOST else {}


@idempotent
def put_back(business: str, kind: str, item_id: str, *, of: str, command: Command) -> Kept:
    """Undo a deletion of one's own: `of` is the command that it was."""
    raws = _removed(business, kind, item_id, Command(of, command.by))
    transaction = Transaction(command)
    first, *_others = [transaction.put_back(raw, _there) for raw in raws]
    if not isinstance(first, Kept):
        raise Refused(NOTHING)
    record_change(transaction, f"{kind}.restore", first, None, None)
    return transaction.commit(first)


NOTHING = _("There is nothing to bring back.")


def _removed(business: str, kind: str, item_id: str, deletion: Command) -> list[Raw]:
    """What that command deleted, if it was this: itself first, then what belongs to it."""
    try:
        done = find_done(deletion)
    except BadKey:
        done = None
    result = done.result if done is not None and isinstance(done.result, dict) else {}
    raws: list[Raw] = result.get("removed") or []
    if not raws or not all(_belongs(raw, business, kind, item_id) for raw in raws):
        raise Refused(NOTHING) if _is_there(business, kind, item_id) else NotFound
    return raws


def _is_there(business: str, kind: str, item_id: str) -> bool:
    pattern = {"service": keys.SERVICE, "provider": keys.PROVIDER, "customer": keys.CUSTOMER}[kind]
    try:
        return raw_item(pattern.key(tenant=business, **{kind: item_id})) is not None
    except BadKey:
        return False


def _belongs(raw: Raw, business: str, kind: str, item_id: str) -> bool:
    found = keys.identify(raw["PK"]["S"], raw["SK"]["S"])
    return found is not None and found[1].get("tenant") == business and found[1].get(kind) == item_id


def _there(item: Item | None) -> DomainError:
    return Conflict(item, _("It is there already."))
