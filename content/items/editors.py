"""What people do in the editor of a page before they save: their changes, and who has it open."""

from __future__ import annotations

from django.http import QueryDict
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from dashboard.platform.configs.changes import unpack
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class UnsavedPage(Item):
    """One person's form of a page, as their browser sent it. Only that person's editor reads it."""

    key_pattern = keys.UNSAVED_PAGE
    editable = False

    packed = BinaryAttribute(legacy_encoding=False, null=True)
    # Which open editor it comes from. Another one does not overwrite it.
    editor = UnicodeAttribute(null=True)
    # The last editor that saved. What it sent before and arrives later is not kept.
    closed_editor = UnicodeAttribute(null=True, attr_name="closedEditor")
    kept_at = TimestampAttribute(null=True, attr_name="keptAt")
    # New each time something is kept: two times within one second differ.
    kept_id = UnicodeAttribute(null=True, attr_name="keptId")

    @property
    def form(self) -> QueryDict:
        """Empty where it cannot be read."""
        form = QueryDict(mutable=True)
        rows = unpack(self.packed)
        for row in rows if isinstance(rows, list) else []:
            if isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and isinstance(row[1], list):
                form.setlist(row[0], [str(text) for text in row[1]])
        return form


class PagePresence(Item):
    """Who has the editor of a page open."""

    key_pattern = keys.PAGE_PRESENCE
    editable = False

    name = UnicodeAttribute(null=True)
