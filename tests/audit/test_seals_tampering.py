"""Every change to the entries of a sealed trail is reported."""

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
    "added attribute": {"note": {"S": "It was not me."}},
    "removed attribute": {"before": None},
    "expiry": {"ttl": {"N": "1"}},
    "type": {"operation": {"B": b"o1"}},
    "null instead of a value": {"before": {"NULL": True}},
}


def test_a_changed_entry_is_reported(week: None) -> None:
    (entry,) = raw_entries(TUESDAY)
    for what, change in EDITS.items():
        edit(key_of(entry), **change)
        assert find_problems() == [f"{entry_name(entry)}: was changed"], what
        put(entry)
    assert find_problems() == []


def test_a_removed_entry_is_reported(week: None) -> None:
    entry = raw_entries(THURSDAY)[1]
    remove(key_of(entry))
    assert find_problems() == [f"{entry_name(entry)}: was removed"]


def test_an_entry_added_to_a_day_with_entries_is_reported(week: None) -> None:
    write_entry(THURSDAY + timedelta(hours=8, minutes=30))
    added = raw_entries(THURSDAY)[1]
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]


@pytest.mark.parametrize("day", [WEDNESDAY, MONDAY - 300 * DAY])
def test_an_entry_added_to_a_day_without_entries_is_reported(week: None, day: Any) -> None:
    write_entry(day)
    (added,) = raw_entries(day)
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]


def test_two_swapped_entries_are_reported(week: None) -> None:
    first, second = raw_entries(MONDAY)
    key_names = ("PK", "SK")
    for one, other in ((first, second), (second, first)):
        put({**other, **{n: one[n] for n in key_names}})
    assert find_problems() == [f"{entry_name(first)}: was changed", f"{entry_name(second)}: was changed"]


def test_an_entry_moved_to_another_time_is_reported(week: None) -> None:
    first, _ = raw_entries(MONDAY)
    remove(key_of(first))
    put({**first, "SK": {"S": first["SK"]["S"].replace("T09", "T11")}})
    moved = raw_entries(MONDAY)[1]
    assert find_problems() == [
        f"{entry_name(first)}: was removed",
        f"{entry_name(moved)}: was added after the day was sealed",
    ]


def test_entries_in_the_future_or_without_a_day_are_reported(week: None) -> None:
    write_entry(FRIDAY + 400 * DAY)
    (entry,) = raw_entries(TUESDAY)
    for odd in ("2025-09-1x#o1", "zebra#o2"):
        put({**entry, "SK": {"S": audit_trail_prefix() + odd}})
    no_day, future, zebra = find_problems()
    assert no_day.startswith("platform 2025-09-1x o1 (person.edit by alma@example.com): has a key that names no day")
    assert future.endswith("is dated in the future")
    assert zebra.startswith("platform zebra o2")
    seal_night(FRIDAY_NIGHT + 2 * DAY)
    assert load_sealing().through == "2025-09-20", "sealing continues"
    assert verify(FRIDAY_NIGHT + 2 * DAY)[0] == [
        "platform 2025-09-1x#o1: its key names no day, so that no seal covers it",
        future,
        zebra,
    ]


def audit_trail_prefix() -> str:
    return AuditEntry.key_pattern.collection().prefix


def test_control_characters_in_an_entry_cannot_forge_a_line_of_the_report(week: None) -> None:
    write_entry(WEDNESDAY, action="x\nplatform: 9 days, 9 entries\x1b[2J")
    (problem,) = find_problems()
    assert "(x?platform: 9 days, 9 entries?[2J by alma@example.com)" in problem


# --- No tampering --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "same_value"),
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
def test_equal_values_written_differently_have_the_same_hash(value: dict[str, Any], same_value: dict[str, Any]) -> None:
    assert hash_of({"a": value}) == hash_of({"a": same_value})


@pytest.mark.parametrize(
    ("value", "other_value"),
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
def test_similar_but_different_values_have_different_hashes(value: dict[str, Any], other_value: dict[str, Any]) -> None:
    assert hash_of({"a": value}) != hash_of({"a": other_value})
    assert hash_of({"a": value}) != hash_of({"b": value})


def test_another_order_of_a_set_is_no_change(table: str) -> None:
    write_week()
    (entry,) = raw_entries(TUESDAY)
    edit(key_of(entry), labels={"SS": ["b", "a", "c"]}, weight={"N": "2.50"})
    seal_night()
    edit(key_of(entry), labels={"SS": ["c", "b", "a"]}, weight={"N": "2.5"})
    assert find_problems() == []
    edit(key_of(entry), labels={"SS": ["c", "b"]})
    assert find_problems() == [f"{entry_name(entry)}: was changed"]
