"""Records that a person made a link to a page that is not published."""

from __future__ import annotations

from datetime import timedelta

from content.items import Content
from content.queries.pages import load_page
from content.services.audit import record_page_change
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.table.commands import Command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction, idempotent

UNTIL = "until"


@idempotent
def share(business: str, node: str, days: int, *, command: Command) -> Content:
    """The result says until when the link is valid. The link itself is not stored: its signature proves it."""
    page, until = load_page(business, node), to_wire(now() + timedelta(days=days))
    transaction = Transaction(command)
    transaction.check(page.key, Content.pk.exists(), lambda _page: NotFound())
    record_page_change(transaction, "share", page, None, {"expires_at": until})
    return transaction.commit(page, {UNTIL: until})
