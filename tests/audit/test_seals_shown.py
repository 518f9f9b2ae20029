"""Entries that nobody changed and yet nobody sees as they are: another time, no place in an index, an odd key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from dashboard.platform.audit.queries import latest
from tests.audit.seal_helpers import (
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    edit,
    entry_name,
    find_problems,
    key_of,
    load_sealing,
    raw_entries,
    seal_night,
    verify,
    write_entry,
    write_week,
)
from tests.table.notes import put

DAY = timedelta(days=1)
ELSEWHERE = "is not where it can be found: its index keys lead elsewhere (reindex)"


# --- Another time than the key's -----------------------------------------------------------------
def test_an_entry_that_says_another_time_than_its_key(table: str) -> None:
    """Put today, with the `timestamp` of another day: named at once, and after it was sealed as it is."""
    write_week()
    seal_night()
    write_entry(FRIDAY + timedelta(hours=9))
    entry = raw_entries(FRIDAY)[-1]
    edit(key_of(entry), timestamp={"S": "2025-09-15T09:30:00Z"})
    named = f"{entry_name(entry)}: says 2025-09-15T09:30:00Z of itself, and its key says another time"
    assert verify(FRIDAY + timedelta(hours=10))[0] == [named]
    seal_night(FRIDAY_NIGHT + DAY)
    assert verify(FRIDAY_NIGHT + DAY)[0] == [named]


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2025-09-18T09:00:00.123456", "2025-09-18T09:00:00Z"),
        ("2025-09-18", "2025-09-18T21:00:00Z"),
        ("2025-09-18T09:00:00Z", "2025-09-18T11:00:00+02:00"),
        ("2025-09-18T09:00:00Z", "2025-09-18T09:00:01Z"),
        ("2025-09-18T09:00:00Z", None),
        ("2025-09-18T09:00:00Z", "this morning"),
    ],
)
def test_times_as_other_services_write_them(table: str, at: str, said: str | None) -> None:
    put_entry(at + "#x1", said)
    seal_night()
    assert find_problems() == []


@pytest.mark.parametrize("at", ["2025-09-18", "2025-09-18Tlate"])
def test_a_key_that_names_only_the_day(table: str, at: str) -> None:
    put_entry(at + "#x1", "2025-09-17T21:00:00Z")
    seal_night()
    assert len(find_problems()) == 1


def put_entry(place: str, said: str | None = None) -> None:
    """As another service might write it: no index keys, and little else."""
    raw: dict[str, Any] = {"PK": {"S": "SYSTEM"}, "SK": {"S": "AUDIT#" + place}, "action": {"S": "stock.count"}}
    put(raw | ({"timestamp": {"S": said}} if said else {}))


# --- Places in the indexes -----------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        {"GSI1PK": {"S": "SYSTEM#ACTOR#nobody@example.com"}},
        {"GSI2SK": {"S": "2020-01-01T00:00:00Z#x"}},
        {"GSI4PK": {"S": "x"}, "GSI4SK": {"S": "y"}},
        {"GSI1PK": None, "GSI1SK": None, "GSI2PK": {"S": "SOMEWHERE"}},
    ],
)
def test_an_entry_moved_to_another_place_in_an_index(week: None, change: dict[str, Any]) -> None:
    """Its content is as it was sealed; but filters lead past it."""
    (entry,) = raw_entries(TUESDAY)
    edit(key_of(entry), **change)
    assert find_problems() == [f"{entry_name(entry)}: {ELSEWHERE}"]
    put(entry)
    assert find_problems() == []


def test_an_entry_moved_on_its_own_day(week: None) -> None:
    write_entry(FRIDAY_NIGHT)
    entry = raw_entries(FRIDAY)[-1]
    edit(key_of(entry), GSI2PK={"S": "SOMEWHERE"})
    assert find_problems() == [f"{entry_name(entry)}: {ELSEWHERE}"]


def test_entries_without_index_keys_are_noted_and_no_problem(week: None) -> None:
    """Other services write none: whether these once had some, nothing tells."""
    first, second = raw_entries(MONDAY)
    edit(key_of(first), GSI1PK=None, GSI1SK=None, GSI2PK=None, GSI2SK=None)
    edit(key_of(second), GSI1PK=None, GSI1SK=None)
    problems, summaries = verify()
    assert problems == []
    assert summaries[1:] == [
        f"Note: {entry_name(first)}: is not where filters find it",
        f"Note: {entry_name(second)}: is not where filters find it",
        "Note: platform: 2 entries lack index keys: reindex adds them",
    ]


def test_of_many_without_index_keys_some_are_named(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.platform.audit.seals.verify.MAX_NAMES", 2)
    write_week()
    for day in (MONDAY, THURSDAY):
        for raw in raw_entries(day):
            edit(key_of(raw), GSI1PK=None, GSI1SK=None, GSI2PK=None, GSI2SK=None)
    seal_night()
    problems, summaries = verify()
    assert problems == []
    assert len(summaries) == 1 + 2 + 1
    assert "5 entries lack index keys" in summaries[-1]


# --- Keys that no day covers ---------------------------------------------------------------------
ODD = ["", "\x00", "\x002025-09-16T09:00:00Z#x1", "\x01#x", "2025", "\U0010ffff" * 3, "zebra", "z" * 1018]


@pytest.mark.parametrize("sealed", [True, False])
def test_an_entry_whose_key_no_day_covers(table: str, sealed: bool) -> None:
    """The list shows it, for its key begins with `AUDIT#`; no seal will ever name it."""
    write_week()
    if sealed:
        seal_night()
    for place in ODD:
        put_entry(place)
    assert len(latest(50)) == 6 + sealed + len(ODD)
    problems = find_problems()
    assert len([line for line in problems if "names no day, so that no seal" in line]) == len(ODD)
    seal_night(FRIDAY_NIGHT + DAY)
    assert load_sealing().through == "2025-09-19", "sealing goes on"
    problems = verify(FRIDAY_NIGHT + DAY)[0]
    assert len(problems) == len(ODD)
    assert all("names no day, so that no seal" in line for line in problems)


@pytest.mark.parametrize("day", ["2025-09-16", "2025-09-17", "2025-09-18"])
def test_the_last_key_of_a_day_is_of_that_day(week: None, day: str) -> None:
    put_entry(day + "\U0010ffff" * 2 + "x")
    (problem,) = find_problems()
    assert problem.endswith("was added after the day was sealed")
    seal_night(FRIDAY_NIGHT + DAY)
    assert load_sealing().through == "2025-09-19"
