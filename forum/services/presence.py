"""Telling colleagues what one has open. No action: nothing is audited, and it ends by itself."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import now
from dashboard.table import keys, write
from dashboard.table.commands import Actor
from forum.items import Presence
from forum.queries.presence import PLACE

# Longer than the page takes between two words, so that nobody flickers.
STAYS = timedelta(seconds=40)


def open_up(by: Actor, target: str) -> None:
    """One has this open now; none where one has left."""
    key = keys.PRESENCE.key(place=PLACE, email=by.email)
    if not target:
        write.remove(key)
        return
    until = int((now() + STAYS).timestamp())
    write.touch(key, [Presence.target.set(target), Presence.name.set(by.name or by.email), Presence.ttl.set(until)])
