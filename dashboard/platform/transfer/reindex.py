"""Repairs all items as the stream follower does. It is the only code that scans the table to change it.

It is for items that were written before the table had a stream. An item that changed meanwhile is read and computed
again, never overwritten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from dashboard.core.errors import Unavailable
from dashboard.core.names import printable_value
from dashboard.platform.stream import writer
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.repairs import repairs_of_change
from dashboard.platform.stream.rules import Rule, follow_up, load_context, rules_for_stored
from dashboard.platform.table_health.census import Census
from dashboard.platform.table_health.items import ReindexReport, is_report
from dashboard.platform.transfer.checkpoint import Checkpoint
from dashboard.platform.transfer.target import Stopped, Target, command_backoff
from dashboard.table import keys
from dashboard.table.guards import offline
from dashboard.table.index_keys import NotComputable, class_of, printable_key
from dashboard.table.items import Raw, key_of

PAGE = 500
THREADS = 4
TRIES = 5

CHANGED, UNCHANGED, UNKNOWN, FAILED = "changed", "unchanged", "unknown", "failed"


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
    kind = keys.kind_of(key_of(raw)) or keys.name_of_unknown_kind(key_of(raw))
    # An item of an unknown kind is left alone, but other items can follow from it: a business that it names.
    is_unknown = class_of(raw) is None
    for _ in range(TRIES):
        try:
            rules = _rules(target, raw)
            stored = Change(None, raw, is_from_stream=False)
            writes = repairs_of_change(stored, load_context(stored, rules, indexes=target.indexes))
            if not writes or dry_run or writer.apply(writes, target.name, command_backoff()):
                if not dry_run:
                    follow_up(stored, rules)
                return UNKNOWN if is_unknown else CHANGED if writes else UNCHANGED, kind, ""
        except Unavailable as error:
            raise Stopped(f"The table refuses: {error.__cause__ or error}") from error
        except NotComputable as error:
            return FAILED, kind, str(error)
        except Exception as error:
            return FAILED, kind, f"{printable_key(raw)}: {printable_value(str(error)) or type(error).__name__}"
        key = {name: raw[name] for name in ("PK", "SK")}
        again = target.call("get_item", Key=key, ConsistentRead=True).get("Item")
        if again is None:
            return UNCHANGED, kind, ""
        raw = again
    return FAILED, kind, f"{printable_key(raw)}: it keeps changing"


def _rules(target: Target, raw: Raw) -> list[Rule]:
    """The rules of the kind. They apply to the main table only."""
    return rules_for_stored(raw) if target.name == settings.DYNAMODB_TABLE else []
