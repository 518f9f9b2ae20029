"""Corrects the index keys of all items. It is the only code that scans the table to change it.

A write has a condition on every attribute that the class of the item knows. An item that changed meanwhile is read
and computed again, never overwritten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from dashboard.core.names import printable_value
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.items import ReindexReport, is_report
from dashboard.platform.table_health.problems import key_of
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.target import Stopped, Target
from dashboard.table import keys
from dashboard.table.guards import offline
from dashboard.table.index_keys import NotComputable, Values, class_of, index_keys_of, printable_key
from dashboard.table.items import Raw

PAGE = 500
THREADS = 4
TRIES = 5
_FAILED = "ConditionalCheckFailedException"
_REFUSED = "ValidationException"

CHANGED, UNCHANGED, UNKNOWN, FAILED = "changed", "unchanged", "unknown", "failed"


class WriteRefused(Exception):
    """The table refuses the keys of this item, for example because it would exceed 400 KB."""


@dataclass
class Count:
    """The number of items by outcome and kind."""

    start: Raw | None = None
    seen: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    # By kind and problem, as the items were found.
    census: dict[str, Any] = field(default_factory=dict)

    def add(self, outcome: str, kind: str) -> None:
        by_kind = self.seen.setdefault(outcome, {})
        by_kind[kind] = by_kind.get(kind, 0) + 1

    def total(self, outcome: str) -> int:
        return sum(self.seen.get(outcome, {}).values())

    @property
    def items(self) -> int:
        return sum(self.total(outcome) for outcome in self.seen)

    def most(self, outcome: str) -> list[tuple[str, int]]:
        return Counter(self.seen.get(outcome, {})).most_common()

    def state(self) -> dict[str, Any]:
        return {"start": self.start, "seen": self.seen, "failures": self.failures, "census": self.census}


def reindex(
    target: Target,
    checkpoint: Checkpoint,
    *,
    dry_run: bool = False,
    on_page: Callable[[Count], None] = lambda _: None,
) -> Count:
    """Scan the table from the checkpoint on and correct the index keys."""
    count = Count(**(checkpoint.load() or {})) if not dry_run else Count()
    census = Census(**count.census)
    count.census = census.state()
    with ThreadPoolExecutor(THREADS, thread_name_prefix="reindex") as pool:
        while True:
            options: dict[str, Any] = {"ExclusiveStartKey": count.start} if count.start else {}
            with offline():
                answer = target.call("scan", Limit=PAGE, ConsistentRead=True, **options)
            raws = [raw for raw in answer["Items"] if not is_report(raw)]
            results = pool.map(lambda raw: _reindex_item(target, raw, dry_run), raws)
            for raw, (outcome, kind, note) in zip(raws, results, strict=True):
                count.add(outcome, kind)
                census.add(raw, target.indexes, failure=note if outcome == FAILED else "")
                if note and len(count.failures) < 20:
                    count.failures.append(note)
            count.start = answer.get("LastEvaluatedKey")
            on_page(count)
            if count.start is None:
                return count
            if not dry_run:
                checkpoint.save(count.state())


def store_report(target: Target, count: Count) -> None:
    """Store the counts in the table, for `manage.py doctor` and its page."""

    def exists(file: str) -> bool:
        pk, sk = keys.ASSET.key(asset=file)
        return "Item" in target.call("get_item", Key={"PK": {"S": pk}, "SK": {"S": sk}}, ConsistentRead=True)

    census = Census(**count.census)
    census.look_up_files(exists)
    target.call("put_item", Item=ReindexReport.of_census(census).as_raw())


def _reindex_item(target: Target, raw: Raw, dry_run: bool) -> tuple[str, str, str]:
    """Correct one item; returns the outcome, its kind and an error text."""
    key = {name: raw[name] for name in ("PK", "SK")}
    kind = keys.kind_of(key_of(raw)) or keys.name_of_unknown_kind(key_of(raw))
    for _ in range(TRIES):
        try:
            index_keys = index_keys_of(raw, target.indexes)
        except NotComputable as error:
            return FAILED, kind, str(error)
        if index_keys is None:
            return UNKNOWN, kind, ""
        changes = index_keys.changes()
        if not changes:
            return UNCHANGED, kind, ""
        try:
            if dry_run or _write(target, raw, changes):
                return CHANGED, kind, ""
        except WriteRefused as error:
            return FAILED, kind, str(error)
        again = target.call("get_item", Key=key, ConsistentRead=True).get("Item")
        if again is None:
            return UNCHANGED, kind, ""
        raw = again
    return FAILED, kind, f"{printable_key(raw)}: it keeps changing"


def _write(target: Target, raw: Raw, changes: Values) -> bool:
    """Write the changes if the item has not changed since it was read; returns whether it was written."""
    cls = class_of(raw)
    assert cls is not None, "the caller has computed it"
    known = [each.attr_name for each in cls.get_attributes().values()]
    names = {f"#n{i}": name for i, name in enumerate(dict.fromkeys([*known, *changes]))}
    by_name = {name: short for short, name in names.items()}
    values: dict[str, Any] = {}
    conditions = []
    for short, name in names.items():
        if name in raw:
            values[f":was{short[2:]}"] = raw[name]
            conditions.append(f"{short} = :was{short[2:]}")
        else:
            conditions.append(f"attribute_not_exists({short})")
    setting = {name: value for name, value in changes.items() if value is not None}
    values |= {f":new{by_name[name][2:]}": value for name, value in setting.items()}
    parts = []
    if setting:
        parts.append("SET " + ", ".join(f"{by_name[name]} = :new{by_name[name][2:]}" for name in setting))
    if len(setting) < len(changes):
        parts.append("REMOVE " + ", ".join(by_name[name] for name in changes if name not in setting))
    try:
        target.call(
            "update_item",
            Key={name: raw[name] for name in ("PK", "SK")},
            UpdateExpression=" ".join(parts),
            ConditionExpression=" AND ".join(conditions),
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
        )
    except ClientError as error:
        code = error.response["Error"].get("Code")
        if code == _FAILED:
            return False
        if code == _REFUSED:
            reason = printable_value(error.response["Error"].get("Message"))
            raise WriteRefused(f"{printable_key(raw)}: the table refuses it: {reason}") from error
        raise Stopped(f"The table refuses: {error}") from error
    return True
