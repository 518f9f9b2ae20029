"""Queries for the editor of a page: a person's unsaved changes, and who else has it open."""

from __future__ import annotations

from content.items import Content, PagePresence, UnsavedPage
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# So many people are named.
MAX_PRESENT = 20


@access_pattern("What is this page now, and which changes has this person not saved?", keys.CONTENT, keys.UNSAVED_PAGE)
def load_page_and_unsaved(business: str, node: str, email: str) -> tuple[Content, UnsavedPage | None]:
    """In one consistent call."""
    try:
        wanted = [
            keys.CONTENT.key(tenant=business, node=node),
            keys.UNSAVED_PAGE.key(tenant=business, node=node, email=email),
        ]
    except BadKey:
        raise NotFound from None
    page, unsaved = read.get_many(wanted)
    if not isinstance(page, Content):
        raise NotFound
    return page, unsaved if isinstance(unsaved, UnsavedPage) else None


@access_pattern("Does this page exist?", keys.CONTENT)
def ensure_page(business: str, node: str) -> None:
    """Without reading its body."""
    try:
        found = read.get_many([keys.CONTENT.key(tenant=business, node=node)], attributes=("title",))
    except BadKey:
        raise NotFound from None
    if found[0] is None:
        raise NotFound


@access_pattern("Who has the editor of this page open?", keys.PAGE_PRESENCE, partition=True)
def people_in_editor(business: str, node: str, email: str) -> list[str]:
    """The names of the others."""
    try:
        collection = keys.PAGE_PRESENCE.collection(tenant=business, node=node)
    except BadKey:
        raise NotFound from None
    found = read.page(collection, PagePresence, limit=MAX_PRESENT).items
    others = [each for each in found if each.key_parts.get("email") != email]
    return [each.name or str(each.key_parts.get("email", "")) for each in others]
