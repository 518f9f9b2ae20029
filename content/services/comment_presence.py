"""Records which comment a moderator has open. It is not audited and expires."""

from __future__ import annotations

from datetime import timedelta

from content.items import CommentPresence
from dashboard.core.clock import now
from dashboard.table import keys, write
from dashboard.table.commands import Actor

# Longer than the interval between two polls of a page.
STAYS = timedelta(seconds=40)


def open_comment(business: str, by: Actor, token: str) -> None:
    """An empty token means that the person has no comment open."""
    key = keys.COMMENT_PRESENCE.key(tenant=business, email=by.email)
    if not token:
        write.remove(key)
        return
    until = int((now() + STAYS).timestamp())
    name = by.name or by.email
    write.update(
        key, [CommentPresence.target.set(token), CommentPresence.name.set(name), CommentPresence.ttl.set(until)]
    )
