"""Whatever is done to the entries of a sealed trail behind our back is named."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.seals.canonical import hash_of
from tests.audit.seal_helpers import (
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    edit,
    entry_name,
    find_problems,
    key_of,
    load_sealing,
    raw_entries,
    remove,
    seal_night,
    verify,
    write_entry,
    write_week,
)
from tests.table.notes import put

DAY = timedelta(days=1)


# --- Entries -------------------------------------------------------------------------------------
EDITS: dict[str, dict[str, Any]] = {
    "text": {"action": {"S": "person.disable"}},
    "map": {"actor": {"M": {"email": {"S": "alma@example.com"}, "name": {"S": "Somebody else"}}}},
    "number in a map": {"after": {"M": {"name": {"S": "Marco"}, "age": {"N": "8"}, "tags": {"L": []}}}},
    "time": {"timestamp": {"S": "2025-09-16T09:00:01Z"}},
    "one more": {"note": {"S": "It was not me."}},
    "one less": {"before": None},
    "its end": {"ttl": {"N": "1"}},
    "type": {"operation": {"B": b"o1"}},
    "nothing for something": {"before": {"NULL": True}},
}


def test_an_entry_that_was_changed(week: None) -> None:
    (entry,) = raw_entries(TUESDAY)
    for what, change in EDITS.items():
        edit(key_of(entry), **change)
        assert find_problems() == [f"{entry_name(entry)}: was changed"], what
        put(entry)
    assert find_problems() == []


def test_an_entry_that_was_removed(week: None) -> None:
    entry = raw_entries(THURSDAY)[1]
    remove(key_of(entry))
    assert find_problems() == [f"{entry_name(entry)}: was removed"]


def test_an_entry_that_was_added_to_a_day_with_entries(week: None) -> None:
    write_entry(THURSDAY + timedelta(hours=8, minutes=30))
    added = raw_entries(THURSDAY)[1]
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]


@pytest.mark.parametrize("day", [WEDNESDAY, MONDAY - 300 * DAY])
def test_an_entry_that_was_added_to_a_day_without(week: None, day: Any) -> None:
    write_entry(day)
    (added,) = raw_entries(day)
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]


def test_two_entries_that_were_swapped(week: None) -> None:
    first, second = raw_entries(MONDAY)
    place = ("PK", "SK")
    for one, other in ((first, second), (second, first)):
        put({**other, **{n: one[n] for n in place}})
    assert find_problems() == [f"{entry_name(first)}: was changed", f"{entry_name(second)}: was changed"]


def test_an_entry_that_was_moved_to_another_time(week: None) -> None:
    first, _ = raw_entries(MONDAY)
    remove(key_of(first))
    put({**first, "SK": {"S": first["SK"]["S"].replace("T09", "T11")}})
    moved = raw_entries(MONDAY)[1]
    assert find_problems() == [
        f"{entry_name(first)}: was removed",
        f"{entry_name(moved)}: was added after the day was sealed",
    ]


def test_an_entry_of_the_future_and_one_of_no_day(week: None) -> None:
    write_entry(FRIDAY + 400 * DAY)
    (entry,) = raw_entries(TUESDAY)
    for odd in ("2025-09-1x#o1", "zebra#o2"):
        put({**entry, "SK": {"S": audit_trail_prefix() + odd}})
    odd_one, future, zebra = find_problems()
    assert odd_one.startswith("platform 2025-09-1x o1 (person.edit by alma@example.com): has a key that names no day")
    assert future.endswith("is dated in the future")
    assert zebra.startswith("platform zebra o2")
    seal_night(FRIDAY_NIGHT + 2 * DAY)
    assert load_sealing().through == "2025-09-20", "sealing goes on"
    assert verify(FRIDAY_NIGHT + 2 * DAY)[0] == [
        "platform 2025-09-1x#o1: its key names no day, so that no seal covers it",
        future,
        zebra,
    ]


def audit_trail_prefix() -> str:
    return AuditEntry.key_pattern.collection().prefix


def test_text_on_an_entry_cannot_forge_a_line_of_the_report(week: None) -> None:
    write_entry(WEDNESDAY, action="x\nplatform: 9 days, 9 entries\x1b[2J")
    (problem,) = find_problems()
    assert "(x?platform: 9 days, 9 entries?[2J by alma@example.com)" in problem


# --- What is no tampering ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("one", "same"),
    [
        ({"SS": ["b", "a"]}, {"SS": ["a", "b"]}),
        ({"NS": ["10", "2.50"]}, {"NS": ["2.5", "1E1"]}),
        ({"BS": [b"b", b"a"]}, {"BS": [b"a", b"b"]}),
        ({"N": "1.0"}, {"N": "1"}),
        ({"N": "-0"}, {"N": "0"}),
        ({"N": "1E3"}, {"N": "1000"}),
        ({"M": {"a": {"N": "1"}, "b": {"N": "2"}}}, {"M": {"b": {"N": "2.0"}, "a": {"N": "1"}}}),
    ],
)
def test_two_ways_to_write_the_same(one: dict[str, Any], same: dict[str, Any]) -> None:
    assert hash_of({"a": one}) == hash_of({"a": same})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}),
        ({"S": "1"}, {"N": "1"}),
        ({"SS": ["a"]}, {"L": [{"S": "a"}]}),
        ({"BOOL": True}, {"BOOL": False}),
        ({"N": "12345678901234567890123456789012345678"}, {"N": "12345678901234567890123456789012345679"}),
        ({"S": "é"}, {"S": "e\u0301"}),
        ({"B": b"YQ=="}, {"S": "YQ=="}),
        ({"NULL": True}, {"BOOL": True}),
    ],
)
def test_two_contents_that_look_alike(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert hash_of({"a": one}) != hash_of({"a": other})
    assert hash_of({"a": one}) != hash_of({"b": one})


def test_the_order_of_a_set_on_an_entry_of_another_service(table: str) -> None:
    write_week()
    (entry,) = raw_entries(TUESDAY)
    edit(key_of(entry), labels={"SS": ["b", "a", "c"]}, weight={"N": "2.50"})
    seal_night()
    edit(key_of(entry), labels={"SS": ["c", "b", "a"]}, weight={"N": "2.5"})
    assert find_problems() == []
    edit(key_of(entry), labels={"SS": ["c", "b"]})
    assert find_problems() == [f"{entry_name(entry)}: was changed"]
