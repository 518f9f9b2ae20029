"""`filter_page`: a filter without an index reads a limited number of items, skips none, and reports how far it read."""

from __future__ import annotations

from typing import Any

import pytest
from pynamodb.expressions.operand import Path

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, oplog, read
from tests.audit.entries import put_all, raw_entry
from tests.conftest import every_engine

COLLECTION = keys.AUDIT.collection(tenant="andina")
CONDITION = Path(["action"]) == "person.edit"


def put_entries(matching: set[int], count: int) -> None:
    put_all(
        raw_entry(
            f"2025-09-21T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}Z",
            f"n{n:04}",
            business="andina",
            action="person.edit" if n in matching else "person.join",
        )
        for n in range(count)
    )


def filter_entries(**options: Any) -> read.FilteredPage[AuditEntry]:
    return read.filter_page(COLLECTION, AuditEntry, CONDITION, newest_first=True, **options)


def numbers(found: read.Page[AuditEntry]) -> list[int]:
    return [int(entry.id[1:]) for entry in found.items]


@every_engine
def test_pages_are_full_and_skip_no_item(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "FILTER_REQUEST_SIZE", 20)
    matching = {n for n in range(100) if n % 3 == 0}
    put_entries(matching, 100)
    found, start_key, sizes = [], None, []
    for _ in range(20):
        page = filter_entries(limit=8, start_key=start_key)
        found += numbers(page)
        sizes.append(len(page.items))
        start_key = page.next_start_key
        if start_key is None:
            break
    assert found == sorted(matching, reverse=True)
    assert sizes == [8, 8, 8, 8, 2]


@every_engine
def test_it_stops_after_the_maximum_of_requests_and_reports_the_last_key(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "FILTER_REQUEST_SIZE", 10)
    put_entries({3}, 60)
    with oplog.recording() as log:
        first = filter_entries()
    assert (numbers(first), len(log.calls)) == ([], read.MAX_FILTER_REQUESTS)
    assert first.last_key_read is not None and first.last_key_read.sk.endswith("n0020"), "40 of 60 items were read"
    second = filter_entries(start_key=first.next_start_key)
    assert (numbers(second), second.next_start_key, second.last_key_read) == ([3], None, None)


@every_engine
def test_it_works_with_a_range_and_on_an_index(table: str) -> None:
    put_entries(set(range(0, 60, 2)), 60)
    within = filter_entries(since="2025-09-21T00:00:10", until="2025-09-21T00:00:14")
    assert numbers(within) == [14, 12, 10]
    by_person = keys.AUDIT_BY_ACTOR.collection(tenant="andina", email="marco@example.com")
    indexed = read.filter_page(by_person, AuditEntry, CONDITION, newest_first=True, limit=3)
    assert numbers(indexed) == [58, 56, 54]
    further = read.filter_page(
        by_person, AuditEntry, CONDITION, newest_first=True, limit=3, start_key=indexed.next_start_key
    )
    assert numbers(further) == [52, 50, 48]


def test_expired_items_are_excluded(table: str) -> None:
    expired = raw_entry("2025-09-21T00:00:00Z", "n0001", business="andina") | {"ttl": {"N": "1"}}
    put_all([expired, raw_entry("2025-09-21T00:00:00Z", "n0002", business="andina")])
    assert numbers(filter_entries()) == [2]
