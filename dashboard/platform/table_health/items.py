"""The report of the last reindex."""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute

from dashboard.core.clock import now
from dashboard.platform.table_health.census import Census
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.timestamps import TimestampAttribute


class ReindexReport(Item):
    """What the last reindex counted: items by kind, unknown kinds, and problems with examples."""

    key_pattern = keys.REINDEX_REPORT
    editable = False

    finished_at = TimestampAttribute(attr_name="finishedAt")
    item_count = NumberAttribute(attr_name="itemCount")
    kinds = PlainMapAttribute()
    unknown_kinds = PlainMapAttribute(attr_name="unknownKinds")
    problems = PlainMapAttribute()

    @classmethod
    def of_census(cls, census: Census) -> ReindexReport:
        report = cls.new()
        report.created_at = report.finished_at = now()
        report.item_count = census.items
        report.kinds, report.unknown_kinds, report.problems = census.kinds, census.unknown_kinds, census.problems
        return report

    def as_raw(self) -> Raw:
        """The item as DynamoDB stores it."""
        raw: Raw = self.serialize()
        return raw


def is_report(raw: Raw) -> bool:
    """Whether an item is the report itself, which is not counted."""
    return keys.REINDEX_REPORT.read(raw["PK"]["S"], raw["SK"]["S"]) is not None
