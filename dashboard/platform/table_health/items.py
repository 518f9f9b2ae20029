"""The report of the last reindex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pynamodb.attributes import NumberAttribute

from dashboard.core.clock import now
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.problems import ProblemReason
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
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
    def of(cls, value: Any, examples: list[Any]) -> ReportedItems:
        """From the report, which anybody who writes the table can change."""
        found = [each for each in examples if isinstance(each, dict) and each.get("pk") and each.get("sk")]
        items = (ReportedItem(Key(str(e["pk"]), str(e["sk"])), str(e.get("detail", ""))) for e in found)
        return cls(_count(value.get("count")) if isinstance(value, dict) else 0, tuple(items))


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
        report.item_count = census.items
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
        return {name: count for name, value in _entries(self.kinds) if (count := _count(value))}

    @property
    def unknown(self) -> dict[str, ReportedItems]:
        """The items of unknown kinds, with one example each."""
        return {name: ReportedItems.of(value, [value]) for name, value in _entries(self.unknown_kinds)}

    def items_with(self, reason: ProblemReason) -> ReportedItems:
        """The items with this problem."""
        found = dict(_entries(self.problems)).get(reason.value)
        examples = found.get("examples") if isinstance(found, dict) else None
        return ReportedItems.of(found, examples if isinstance(examples, list) else [])

    def as_raw(self) -> Raw:
        """The item as DynamoDB stores it."""
        raw: Raw = self.serialize()
        return raw


def _entries(values: Any) -> list[tuple[str, Any]]:
    return list(values.items()) if isinstance(values, dict) else []


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) else 0


def is_report(raw: Raw) -> bool:
    """Whether an item is the report itself, which is not counted."""
    return keys.REINDEX_REPORT.read(raw["PK"]["S"], raw["SK"]["S"]) is not None
