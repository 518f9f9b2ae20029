"""Links to pages that are not published."""

from __future__ import annotations

from datetime import datetime

from pynamodb.attributes import UnicodeAttribute

from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class PageShareLink(Item):
    """A link that shows a page without an account, until it expires. Only a hash of its secret is stored."""

    key_pattern = keys.PAGE_SHARE
    needs_key_parts = True
    editable = False

    created_by = UnicodeAttribute(null=True, attr_name="createdBy")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    note = UnicodeAttribute(null=True)
    revoked_at = TimestampAttribute(null=True, attr_name="revokedAt")

    @property
    def id(self) -> str:
        """The hash of its secret."""
        return str(self.key_parts["hash"])

    @property
    def is_revoked(self) -> bool:
        return bool(self.revoked_at)

    @property
    def expires_at(self) -> datetime:
        return datetime.fromtimestamp(int(self.ttl or 0), tz=now().tzinfo)
