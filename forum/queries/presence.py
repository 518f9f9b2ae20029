"""Queries for which cards colleagues have open."""

from __future__ import annotations

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from forum.items import Presence

PLACE = "forum"


@access_pattern("Which posts do colleagues have open?", keys.PRESENCE, partition=True)
def opened_by_others(email: str) -> dict[str, list[str]]:
    """The names of the colleagues by the target that they have open."""
    found: dict[str, list[str]] = {}
    for each in read.page(keys.PRESENCE.collection(place=PLACE), Presence, limit=100).items:
        if each.target and each.key_parts.get("email") != email:
            found.setdefault(each.target, []).append(each.name or str(each.key_parts.get("email", "")))
    return found
