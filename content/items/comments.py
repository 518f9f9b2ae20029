"""A visitor's comment on a page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from content.comment_refs import CommentRef
from content.comment_statuses import listed_status
from content.items.lists import folded_email
from dashboard.table import keys
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import from_wire


class PageComment(Item):
    """A visitor's comment on a page."""

    key_pattern = keys.PAGE_COMMENT
    needs_key_parts = True

    author_id = LenientUnicodeAttribute(null=True, attr_name="authorId")
    author_name = LenientUnicodeAttribute(null=True, attr_name="authorName")
    author_email = LenientUnicodeAttribute(null=True, attr_name="authorEmail")
    author_image = LenientUnicodeAttribute(null=True, attr_name="authorImage")
    content = LenientUnicodeAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    # Ours: the title of the page when the comment was found, for pages that are not among the newest.
    page_title = LenientUnicodeAttribute(null=True, attr_name="pageTitle")
    # Ours: the latest decision and the status before it, which Undo restores.
    stored_decision = PlainMapAttribute(null=True, attr_name="decision")

    @property
    def ref(self) -> CommentRef:
        parts = self.key_parts
        return CommentRef(str(parts["page"]), str(parts["at"]), str(parts.get("id") or ""))

    @property
    def written_at(self) -> datetime | None:
        """By the attribute, else by the key."""
        if self.created_at:
            return self.created_at
        try:
            return from_wire(self.ref.at)
        except (ValueError, OverflowError):
            return None

    @property
    def author_key(self) -> str:
        """What identifies the author among the visitors of the business; empty for an anonymous one."""
        return folded_email(self.author_email or "") or (self.author_id or "").strip()

    @property
    def decision(self) -> StoredMap:
        return StoredMap.of(self.stored_decision)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PAGE_COMMENTS_BY_STATUS.optional_key(status=listed_status(self.status), **self.key_parts)
        yield from keys.PAGE_COMMENTS_OF_AUTHOR.optional_key(author=self.author_key or None, **self.key_parts)


class CommentPresence(Item):
    """Which comment a moderator of the business has open. It expires."""

    key_pattern = keys.COMMENT_PRESENCE
    editable = False

    target = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
