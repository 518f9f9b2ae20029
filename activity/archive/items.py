"""The manifest of the archive: which files count, and what they contain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class IncomingFile(Item):
    """A file of events that are not yet in the files of all their days."""

    key_pattern = keys.INCOMING_FILE
    editable = False

    path = UnicodeAttribute(null=True)
    # The number of rows of each day that is not yet sealed with them, by date.
    days = PlainMapAttribute(null=True)
    rows = NumberAttribute(default=0)


class SealedDay(Item):
    """A day whose events are complete, as far as they are known: one file for each country."""

    key_pattern = keys.SEALED_DAY
    editable = False

    # By country: rows, bytes and sha256.
    files = PlainMapAttribute(null=True)
    rows = NumberAttribute(default=0)
    # Increases each time that late events change the files.
    generation = NumberAttribute(default=0)
    sealed_at = TimestampAttribute(null=True, attr_name="sealedAt")

    @property
    def day(self) -> date:
        return date.fromisoformat(str(self.key_parts["date"]))


class ArchiveTask(Item):
    """The due task that seals days."""

    key_pattern = keys.ARCHIVE_TASK

    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)
