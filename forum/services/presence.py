"""Records which card a moderator has open. It is not audited and expires."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import now
from dashboard.table import keys, write
from dashboard.table.commands import Actor
from forum.items import Presence
from forum.queries.presence import PLACE

# Longer than the interval between two polls of a page.
STAYS = timedelta(seconds=40)


def open_card(by: Actor, target: str) -> None:
    """An empty target means that the person has no card open."""
    key = keys.PRESENCE.key(place=PLACE, email=by.email)
    if not target:
        write.remove(key)
        return
    until = int((now() + STAYS).timestamp())
    write.update(key, [Presence.target.set(target), Presence.name.set(by.name or by.email), Presence.ttl.set(until)])
