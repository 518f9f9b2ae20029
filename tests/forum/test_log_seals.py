"""The moderation log is sealed like the audit trail: every change outside the application is reported."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from dashboard.core.clock import frozen
from dashboard.platform.audit.seals import daily
from dashboard.platform.audit.seals.items import Sealing
from dashboard.table import keys, read
from dashboard.table.items import Raw
from forum.actions import Action
from forum.seals import moderation_log
from tests.audit.seal_helpers import (
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    edit,
    find_problems,
    iso,
    key_of,
    remove,
    seal_night,
    verify,
    write_entry,
)
from tests.forum.factories import CLEAN_TEXT, TEXT_TO_BAN, create_post, decide
from tests.forum.logs import raw_log_entry
from tests.table.notes import put

DAY = timedelta(days=1)
RECORD = keys.SEALING_MODLOG.key()


@pytest.fixture
def week(table: str) -> None:
    """Decisions on Monday, Tuesday and Thursday and one entry of the platform's trail, sealed on Friday at night."""
    write_entry(MONDAY)
    for at in (MONDAY + timedelta(hours=9), TUESDAY + timedelta(hours=9), THURSDAY + timedelta(hours=8)):
        with frozen(at):
            post = create_post(CLEAN_TEXT)
        with frozen(at + timedelta(minutes=5)):
            decide(post, Action.BAN)
    with frozen(THURSDAY + timedelta(hours=9)):
        create_post(TEXT_TO_BAN)
    # The first run starts the sealing; the log is sealed in the same run or in the next one.
    seal_night()
    seal_night()
    assert verify()[0] == []


def raw_entries(day: Any) -> list[Raw]:
    return list(moderation_log().day(iso(day)))


def entry_name(raw: Raw) -> str:
    at, _, rest = raw["SK"]["S"].partition("#")
    return f"moderation log {at} {rest} ({raw['action']['S']} by {raw['adminId']['S']})"


def load_sealing() -> Sealing:
    sealing = read.get(Sealing, RECORD)
    assert sealing is not None
    return sealing


def test_each_day_of_the_log_is_sealed_at_night(week: None) -> None:
    assert (load_sealing().through, load_sealing().number) == ("2025-09-18", 3)
    lines = verify()[1]
    assert any(line.startswith("moderation log: 3 days, 4 entries, sealed through 2025-09-18, head ") for line in lines)
    assert any(line.startswith("platform: 1 days, 1 entries") for line in lines), (
        "the platform's trail has its own seals"
    )
    seal_night(FRIDAY_NIGHT + 3 * DAY)
    assert (load_sealing().through, load_sealing().number) == ("2025-09-21", 3), "a day without entries has no seal"
    with frozen(FRIDAY + 4 * DAY):
        decide(create_post(CLEAN_TEXT), Action.DELETE)
    seal_night(FRIDAY_NIGHT + 5 * DAY)
    assert (load_sealing().through, load_sealing().number) == ("2025-09-23", 4)
    assert verify(FRIDAY_NIGHT + 5 * DAY)[0] == []


def test_an_empty_log_is_not_sealed(table: str) -> None:
    write_entry(MONDAY)
    seal_night()
    seal_night()
    assert read.get(Sealing, RECORD) is None
    problems, lines = verify()
    assert problems == [] and not [line for line in lines if "moderation" in line]


def test_changed_removed_and_added_entries_are_reported(week: None) -> None:
    (entry,) = raw_entries(TUESDAY)
    changes: list[dict[str, Any]] = [
        {"reason": {"S": "Another"}},
        {"adminId": {"S": "luis@example.com"}},
        {"originalContent": None},
        {"metadata": {"M": {}}},
        {"ttl": {"N": "1"}},
    ]
    for change in changes:
        edit(key_of(entry), **change)
        (problem,) = find_problems()
        assert problem == f"{entry_name(entry)}: was changed"
        put(entry)
    assert find_problems() == []

    first = raw_entries(THURSDAY)[0]
    remove(key_of(first))
    assert find_problems() == [f"{entry_name(first)}: was removed"]
    put(first)

    added = raw_log_entry("2025-09-18T07:00:00Z", "added")
    put(added)
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]
    remove(key_of(added))

    for place in ("2025-09-18T23:00:00Z#x#y", "zebra"):
        odd = {**first, "SK": {"S": place}}
        put(odd)
        (problem,) = find_problems()
        assert problem.endswith("was added after the day was sealed"), "a seal covers the whole partition"
        remove(key_of(odd))
    assert find_problems() == []


def test_a_moved_entry_is_reported_as_added_and_removed(week: None) -> None:
    (entry,) = raw_entries(TUESDAY)
    for to in ("2025-09-18", "2025-09-17", "2025-09-15"):
        remove(key_of(entry))
        moved = {**entry, "PK": {"S": f"MODLOG#{to}"}, "SK": {"S": entry["SK"]["S"].replace("2025-09-16", to)}}
        put(moved)
        problems = find_problems()
        assert f"{entry_name(moved)}: was added after the day was sealed" in problems, to
        assert f"{entry_name(entry)}: was removed" in problems
        remove(key_of(moved))
        put(entry)
    assert find_problems() == []


def test_entries_outside_the_sealed_days_are_reported(week: None) -> None:
    """An index shows these entries, but no seal covers them: no day, a future day, or a day long ago."""
    (entry,) = raw_entries(TUESDAY)
    for partition, text in {
        "x": "has a key that names no day, so that no seal will cover it",
        "2030-01-01": "is dated in the future",
        "2001-01-01": "is dated long before all others, so that no seal covers it",
    }.items():
        odd = {**entry, "PK": {"S": f"MODLOG#{partition}"}}
        put(odd)
        assert find_problems() == [f"{entry_name(entry)}: {text}"], partition
        remove(key_of(odd))
    added = raw_log_entry(MONDAY - 300 * DAY, "old")
    put(added)
    assert find_problems() == [f"{entry_name(added)}: was added after the day was sealed"]


def test_changed_and_removed_seals_are_reported(week: None) -> None:
    trail = moderation_log()
    kept = read.raw_page(trail.seals).items
    tuesday = trail.seal(iso(TUESDAY))
    remove(tuesday)
    assert find_problems() == [
        "moderation log 2025-09-16: its seal is missing, so that its 1 entries cannot be checked"
    ]
    for raw in kept:
        put(raw)
    edit(tuesday, entries={"N": "7"})
    assert find_problems() == ["moderation log 2025-09-16: the seal was altered"]
    for raw in kept:
        put(raw)
    for raw in raw_entries(TUESDAY):
        remove(key_of(raw))
    remove(tuesday)
    assert find_problems() == ["moderation log 2025-09-16: the whole day was removed, its seal and its entries"]


def test_a_changed_or_removed_sealing_record_is_reported(week: None) -> None:
    edit(RECORD, through={"S": "2025-09-16"})
    assert any("(SEALING) was altered" in line for line in find_problems())
    remove(RECORD)
    assert any("the record of how far it is sealed (SEALING) was removed" in line for line in find_problems())
    _, failed = seal_night(FRIDAY_NIGHT + DAY)
    assert any("moderation log: there are seals, but the record" in line for line in failed)
    assert read.get(Sealing, RECORD) is None, "the sealing is not started again"


def test_the_removal_of_all_seals_is_found_with_the_platforms_trail(week: None) -> None:
    for raw in read.raw_page(moderation_log().seals).items:
        remove(key_of(raw))
    remove(RECORD)
    assert find_problems() == [
        "moderation log: there are entries since 2025-09-15 and nothing is sealed: does run_due run?"
    ]
    seal_night(FRIDAY_NIGHT + DAY)
    seal_night(FRIDAY_NIGHT + DAY)
    (problem,) = verify(FRIDAY_NIGHT + DAY)[0]
    assert problem.startswith("moderation log: its sealing began again at 2025-09-20T00:15:00Z, after 2025-09-19T00:15")


def test_seals_of_the_log_do_not_affect_the_platforms_seals(week: None) -> None:
    """Both are in one partition, the log's after the platform's."""
    write_entry(WEDNESDAY + timedelta(hours=1))
    (problem,) = find_problems()
    assert problem.startswith("platform 2025-09-17T01:00:00Z")


@pytest.mark.parametrize("day", ["0001-01-02", "0002-05-05"])
def test_an_entry_dated_two_thousand_years_ago_does_not_slow_down_the_sealing(
    week: None, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "EARLIEST", date(2025, 8, 1))
    put(raw_log_entry(f"{day}T10:00:00Z", "old"))
    with frozen(FRIDAY_NIGHT + DAY):
        assert moderation_log().next_day("", "2025-09-19") == "2025-09-15"
        assert any(day in problem for problem in verify()[0])
