"""The report of the last reindex."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pynamodb.attributes import NumberAttribute

from dashboard.core.clock import now
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.problems import ProblemReason
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
from dashboard.table.nested import StoredMap, maps_in
from dashboard.table.timestamps import TimestampAttribute


@dataclass(frozen=True)
class ReportedItem:
    """An item with a problem. The detail names its attributes or indexes."""

    key: Key
    detail: str = ""


@dataclass(frozen=True)
class ReportedItems:
    """Some of the items that were counted together."""

    count: int
    examples: tuple[ReportedItem, ...]

    @classmethod
    def of(cls, value: StoredMap, examples: Iterable[StoredMap]) -> ReportedItems:
        """From the report, which anybody who writes the table can change."""
        found = [(Key(each.text("pk"), each.text("sk")), each.text("detail")) for each in examples]
        items = (ReportedItem(key, detail) for key, detail in found if key.pk and key.sk)
        return cls(int(value.number("count") or 0), tuple(items))


class ReindexReport(Item):
    """What the last reindex counted: items by kind, unknown kinds, and problems with examples."""

    key_pattern = keys.REINDEX_REPORT
    editable = False

    finished_at = TimestampAttribute(null=True, attr_name="finishedAt")
    item_count = NumberAttribute(null=True, attr_name="itemCount")
    kinds = PlainMapAttribute(null=True)
    unknown_kinds = PlainMapAttribute(null=True, attr_name="unknownKinds")
    problems = PlainMapAttribute(null=True)

    @classmethod
    def of_census(cls, census: Census) -> ReindexReport:
        report = cls.new()
        report.created_at = report.finished_at = now()
        report.item_count = census.total
        report.kinds, report.unknown_kinds = census.kinds, census.unknown_kinds
        # The order of a scan is arbitrary.
        report.problems = {
            reason: found
            | {"examples": sorted(found["examples"], key=lambda each: (each["pk"], each["sk"], each["detail"]))}
            for reason, found in census.problems.items()
        }
        return report

    @property
    def total(self) -> int:
        """The number of all items."""
        return sum(self.counts.values()) + sum(each.count for each in self.unknown.values())

    @property
    def counts(self) -> dict[str, int]:
        """The number of items by known kind."""
        return {name: count for name, count in StoredMap.of(self.kinds).counts().items() if count}

    @property
    def unknown(self) -> dict[str, ReportedItems]:
        """The items of unknown kinds, with one example each."""
        return {name: ReportedItems.of(value, [value]) for name, value in StoredMap.of(self.unknown_kinds).maps()}

    def items_with(self, reason: ProblemReason) -> ReportedItems:
        """The items with this problem."""
        found = StoredMap.of(self.problems).map(reason.value)
        return ReportedItems.of(found, maps_in(found.get("examples")))

    def as_raw(self) -> Raw:
        """The item as DynamoDB stores it."""
        raw: Raw = self.serialize()
        return raw


def is_report(raw: Raw) -> bool:
    """Whether an item is the report itself, which is not counted."""
    return keys.REINDEX_REPORT.read(raw["PK"]["S"], raw["SK"]["S"]) is not None
