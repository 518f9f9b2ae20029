"""Queries for which comments colleagues have open."""

from __future__ import annotations

from content.items import CommentPresence
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("Which comments do colleagues have open?", keys.COMMENT_PRESENCE, partition=True)
def opened_by_others(business: str, email: str) -> dict[str, list[str]]:
    """The names of the colleagues by the comment that they have open."""
    found: dict[str, list[str]] = {}
    for each in read.page(keys.COMMENT_PRESENCE.collection(tenant=business), CommentPresence, limit=100).items:
        if each.target and each.key_parts.get("email") != email:
            found.setdefault(each.target, []).append(each.name or str(each.key_parts.get("email", "")))
    return found
