"""Interrupted runs, entries that are written during sealing, and a new signing key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from dashboard.platform.audit.seals import services
from dashboard.table import write
from tests.audit.seal_helpers import (
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    TUESDAY,
    all_parts,
    iso,
    key_of,
    load_sealing,
    raw_entries,
    remove,
    seal_night,
    seal_of,
    verify,
    write_entry,
    write_week,
)

DAY = timedelta(days=1)


# --- Interrupted runs ----------------------------------------------------------------------------
class Killed(BaseException):
    pass


def test_a_run_killed_between_two_days_is_continued_by_the_next_run(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_week()
    days: list[str] = []
    seal_day = services._seal_day

    def kill_on_second_day(*args: object) -> int:
        days.append(str(args[2]))
        if len(days) == 2:
            raise Killed
        return seal_day(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(services, "_seal_day", kill_on_second_day)
    with pytest.raises(Killed):
        seal_night()
    assert load_sealing().through == iso(MONDAY)
    assert verify()[0] == ["platform: sealed only through 2025-09-15: does run_due run?"]
    assert seal_night() == ([], []), "another run does nothing until the lease ends"
    seal_night(FRIDAY_NIGHT + timedelta(minutes=5))
    assert days == ["2025-09-15", "2025-09-16", "2025-09-16", "2025-09-18"]
    assert verify()[0] == []


def test_the_parts_that_a_killed_run_left_are_removed(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_week()

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(services, "_save", kill)
        with pytest.raises(Killed):
            seal_night()
    (old_part,) = all_parts(MONDAY)
    seal_night(FRIDAY_NIGHT + timedelta(minutes=5))
    (new_part,) = all_parts(MONDAY)
    assert new_part != old_part
    assert verify()[0] == []


def test_a_long_backlog_is_sealed_in_several_runs(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write_week()
    monkeypatch.setattr(services, "MAX_SECONDS", -1)
    for minutes, days, through in ((0, 1, "2025-09-15"), (5, 1, "2025-09-16"), (10, 1, "2025-09-18")):
        lines, errors = seal_night(FRIDAY_NIGHT + timedelta(minutes=minutes))
        assert lines[-1].endswith(f"of {days} days, through {through}")
        assert errors == []
    assert verify()[0] == []


def test_an_entry_written_while_its_day_is_sealed_is_reported_as_added(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is either in the seal or reported as added. The seal itself stays valid."""
    write_week()
    write_list = services._write_list

    def write_list_and_entries(*args: object) -> object:
        yield from write_list(*args)  # type: ignore[arg-type]
        if args[1] == iso(MONDAY):
            write_entry(MONDAY + timedelta(hours=12))
            write_entry(FRIDAY_NIGHT)

    monkeypatch.setattr(services, "_write_list", write_list_and_entries)
    seal_night()
    (problem,) = verify()[0]
    assert problem.startswith("platform 2025-09-15T12:00:00Z")
    assert problem.endswith("was added after the day was sealed")


def test_removing_an_entry_of_today_is_not_reported(table: str) -> None:
    write_week()
    seal_night()
    write_entry(FRIDAY_NIGHT)
    edited = raw_entries(FRIDAY)[-1]
    remove(key_of(edited))
    write_entry(FRIDAY_NIGHT + timedelta(hours=3))
    assert verify()[0] == []


def test_after_a_key_change_sealing_continues_and_the_chain_vouches_for_older_seals(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_week()
    seal_night()
    monkeypatch.setattr(settings, "SECRET_KEY_FALLBACKS", [settings.SECRET_KEY])
    monkeypatch.setattr(settings, "SECRET_KEY", "another key")
    assert verify()[0] == []
    write_entry(FRIDAY)
    seal_night(FRIDAY_NIGHT + DAY)
    monkeypatch.setattr(settings, "SECRET_KEY_FALLBACKS", [])
    problems, summaries = verify(FRIDAY_NIGHT + DAY)
    assert problems == []
    assert summaries[1] == "platform: 3 seals bear an older key's signature; the chain vouches"
    # But the chain does not vouch for a seal that was changed.
    write.update(seal_of(TUESDAY).key, [type(seal_of(TUESDAY)).entries.set(2)])
    problems, _ = verify(FRIDAY_NIGHT + DAY)
    assert problems == ["platform 2025-09-16: the seal was altered"]
