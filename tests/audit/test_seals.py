"""Every night the finished days are sealed: each once, in a chain, and without extra cost for writing entries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from dashboard.core.clock import frozen
from dashboard.platform.audit import due
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import latest
from dashboard.platform.audit.seals import services
from dashboard.platform.audit.seals.trails import audit_trail
from dashboard.table import keys, oplog
from tests.audit.seal_helpers import (
    BUSINESS,
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    all_parts,
    iso,
    load_sealing,
    remove,
    seal_night,
    seal_of,
    verify,
    write_entry,
    write_week,
)
from tests.conftest import add_business, every_engine
from tests.table.notes import load_raw, on_dynoxide, put

DAY = timedelta(days=1)


@every_engine
def test_the_first_run_seals_every_finished_day(table: str) -> None:
    write_week()
    lines, errors = seal_night()
    assert lines == [
        "ensure_platform_seals: began to seal the platform's trail",
        "sealing SYSTEM / SEALING: sealed 6 entries of 3 days, through 2025-09-18",
    ]
    assert errors == []
    seals = [seal_of(day) for day in (MONDAY, TUESDAY, THURSDAY)]
    assert [(seal.number, seal.entries) for seal in seals] == [(1, 2), (2, 1), (3, 3)]
    assert [seal.previous_hash for seal in seals] == [None, seals[0].hash, seals[1].hash]
    assert [seal.previous_day for seal in seals] == [None, iso(MONDAY), iso(TUESDAY)]
    assert all(seal.is_intact and seal.has_valid_signature for seal in seals)
    assert load_raw(audit_trail().seal(iso(WEDNESDAY))) is None
    now = load_sealing()
    assert (now.through, now.head) == (iso(THURSDAY), seals[2].link)
    assert now.due_at == FRIDAY_NIGHT + DAY
    problems, (summary,) = verify()
    assert problems == []
    assert summary == f"platform: 3 days, 6 entries, sealed through 2025-09-18, head {seals[2].hash}"


def test_a_day_is_sealed_fifteen_minutes_after_it_ends(table: str) -> None:
    """By then every write that started before midnight is done."""
    write_week()
    seal_night(FRIDAY_NIGHT - timedelta(seconds=1))
    assert load_sealing().through == iso(WEDNESDAY)
    assert load_sealing().due_at == FRIDAY_NIGHT
    write_entry(FRIDAY - timedelta(seconds=1))
    seal_night()
    assert load_sealing().through == iso(THURSDAY)
    assert seal_of(THURSDAY).entries == 4
    assert verify()[0] == []


def test_each_night_seals_through_the_day_before(table: str) -> None:
    write_entry(MONDAY + timedelta(hours=9))
    for later, through in ((0, "2025-09-15"), (1, "2025-09-16"), (2, "2025-09-17"), (5, "2025-09-20")):
        at = TUESDAY + timedelta(days=later, minutes=20)
        seal_night(at)
        assert load_sealing().through == through
        assert seal_night(at + timedelta(hours=5)) == ([], []), "not due again before the next night"
    # The first run wrote an entry that sealing began. That entry is sealed like the others.
    assert [entry.action for entry in latest()] == ["sealing.begin", "person.edit"]
    assert seal_of(TUESDAY).entries == 1
    assert verify(TUESDAY + timedelta(days=5, minutes=30))[0] == []


def test_sealing_does_not_change_the_cost_of_writing_an_entry(table: str) -> None:
    """Sealing adds no calls to writing an entry."""
    write_week()
    with oplog.recording() as before:
        write_entry(FRIDAY)
    seal_night()
    with oplog.recording() as after:
        write_entry(FRIDAY + timedelta(hours=1))
    assert [call.operation for call in before.calls] == [call.operation for call in after.calls]


def test_a_trail_without_entries_counts_as_sealed_through_yesterday(table: str) -> None:
    seal_night()
    assert (load_sealing().through, load_sealing().number) == (iso(THURSDAY), 0)
    assert verify() == ([], ["platform: 0 days, 0 entries, sealed through 2025-09-18, head –"])


# --- Businesses ----------------------------------------------------------------------------------
def test_every_business_has_its_own_chain_of_seals(table: str) -> None:
    add_business(BUSINESS, "Andina")
    # An outside writer wrote this one, without index keys.
    put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant="harbour").sk}, "name": {"S": "Harbour"}})
    write_week(BUSINESS)
    write_entry(TUESDAY, business="harbour")
    lines, errors = seal_night()
    assert errors == []
    assert lines[1].endswith("sealed 0 entries of 0 days, through 2025-09-18; began to seal 2 businesses")
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert (load_sealing(BUSINESS).number, load_sealing("harbour").number, load_sealing().number) == (3, 1, 0)
    assert seal_of(TUESDAY, BUSINESS).entries == 1
    problems, summaries = verify()
    assert problems == []
    assert [line.partition(":")[0] for line in summaries] == ["platform", BUSINESS, "harbour"]
    assert verify(business="harbour")[1] == summaries[2:]

    add_business("cafe", "Café")
    write_entry(FRIDAY, business="cafe")
    seal_night(FRIDAY_NIGHT + DAY)
    seal_night(FRIDAY_NIGHT + DAY + timedelta(minutes=1))
    assert load_sealing("cafe").number == 1
    begin_targets = [entry.target["id"] for entry in latest(50) if entry.action == "sealing.begin"]
    assert sorted(begin_targets) == ["andina", "cafe", "harbour", "platform"]
    assert verify(FRIDAY_NIGHT + DAY)[0] == []


def test_sealing_begins_for_more_businesses_than_one_batch(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "BATCH", 2)
    for number in range(5):
        put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant=f"b{number}").sk}})
    lines, errors = seal_night()
    assert errors == []
    assert lines[1].endswith("began to seal 5 businesses")
    assert {load_sealing(f"b{number}").began_at for number in range(5)} == {FRIDAY_NIGHT}


@pytest.mark.parametrize("name", ["nobody", "a#b", ""])
def test_verifying_an_unknown_business_is_an_error(table: str, name: str) -> None:
    seal_night()
    with pytest.raises(CommandError, match="There is no business"):
        call_command("verify_audit", business=name)


# --- Long days -----------------------------------------------------------------------------------
def write_many_entries(count: int) -> None:
    """Write many entries of one day without transactions."""
    with frozen(MONDAY):
        entries = [AuditEntry.new_at_key(keys.SYSTEM_AUDIT.key(at=MONDAY, id=f"{n:06d}")) for n in range(count)]
        for entry in entries:
            entry.id, entry.at_time, entry.scope = entry.sk[-6:], MONDAY, "SYSTEM"
            entry.action, entry.operation = "person.edit", "o1"
            entry.actor, entry.target = {"email": "alma@example.com"}, {"id": "x"}
        with AuditEntry.batch_write() as batch:
            for entry in entries:
                batch.save(entry)


@pytest.mark.slow
@on_dynoxide
def test_a_day_with_5000_entries_is_sealed_in_parts(table: str) -> None:
    write_many_entries(5_000)
    seal_night()
    seal = seal_of(MONDAY)
    assert seal.entries == 5_000
    assert [part.entries for part in seal.list_parts()] == [1_000] * 5
    assert len(list(all_parts(MONDAY))) == 5
    sizes = [len(str(load_raw(part))) for part in all_parts(MONDAY)]
    assert max(sizes) < 400_000
    assert verify()[0] == []

    key = keys.SYSTEM_AUDIT.key(at=MONDAY, id="003777")
    remove(key)
    assert verify()[0] == [
        "platform 2025-09-15T00:00:00Z 003777 (person.edit by alma@example.com): was removed",
    ]


def test_a_new_part_begins_before_an_item_is_too_large(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_TEXT", 500)
    write_week()
    for _ in range(10):
        write_entry(MONDAY + timedelta(hours=20))
    seal_night()
    parts = seal_of(MONDAY).list_parts()
    assert len(parts) > 2
    assert sum(part.entries for part in parts) == 12
    assert verify()[0] == []
