"""Records that a person views an item."""

from __future__ import annotations

from dashboard.platform.audit.services import record
from dashboard.platform.table_health.history import SEPARATOR
from dashboard.table import oplog
from dashboard.table.commands import Command
from dashboard.table.keypattern import Key
from dashboard.table.masking import masked_key
from dashboard.table.transactions import Transaction


def record_view(key: Key, *, command: Command) -> None:
    """Record a view in the platform's trail. There may be no item at the key, or it may be of any business."""
    target = item_title(key)
    with oplog.attributed_to(f"{__name__}.record_view"):
        transaction = Transaction(command)
        record(transaction, "item.view", target=target, kind="item", title=target)
        transaction.commit(None)


def item_title(key: Key) -> str:
    """The key as text, without hashes of secrets."""
    return f"{masked_key(key.pk)}{SEPARATOR}{masked_key(key.sk)}"
