"""Each night what is over is sealed: once, in a chain, and at no cost to those who write."""

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
def test_every_day_that_is_over_is_sealed_on_first_use(table: str) -> None:
    write_week()
    said, failed = seal_night()
    assert said == [
        "ensure_platform_seals: began to seal the platform's trail",
        "sealing SYSTEM / SEALING: sealed 6 entries of 3 days, through 2025-09-18",
    ]
    assert failed == []
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


def test_a_day_is_sealed_a_quarter_of_an_hour_after_it_is_over(table: str) -> None:
    """What was begun before midnight lands by then."""
    write_week()
    seal_night(FRIDAY_NIGHT - timedelta(seconds=1))
    assert load_sealing().through == iso(WEDNESDAY)
    assert load_sealing().due_at == FRIDAY_NIGHT
    write_entry(FRIDAY - timedelta(seconds=1))
    seal_night()
    assert load_sealing().through == iso(THURSDAY)
    assert seal_of(THURSDAY).entries == 4
    assert verify()[0] == []


def test_each_night_the_day_before(table: str) -> None:
    write_entry(MONDAY + timedelta(hours=9))
    for later, through in ((0, "2025-09-15"), (1, "2025-09-16"), (2, "2025-09-17"), (5, "2025-09-20")):
        at = TUESDAY + timedelta(days=later, minutes=20)
        seal_night(at)
        assert load_sealing().through == through
        assert seal_night(at + timedelta(hours=5)) == ([], []), "not due again before the next night"
    # The first run wrote that it began: sealed as everything else.
    assert [entry.action for entry in latest()] == ["sealing.begin", "person.edit"]
    assert seal_of(TUESDAY).entries == 1
    assert verify(TUESDAY + timedelta(days=5, minutes=30))[0] == []


def test_an_entry_costs_what_it_did(table: str) -> None:
    """Sealing is nothing that a writer does."""
    write_week()
    with oplog.recording() as before:
        write_entry(FRIDAY)
    seal_night()
    with oplog.recording() as after:
        write_entry(FRIDAY + timedelta(hours=1))
    assert [call.operation for call in before.calls] == [call.operation for call in after.calls]


def test_a_trail_without_entries_is_sealed_through_yesterday(table: str) -> None:
    seal_night()
    assert (load_sealing().through, load_sealing().number) == (iso(THURSDAY), 0)
    assert verify() == ([], ["platform: 0 days, 0 entries, sealed through 2025-09-18, head –"])


# --- Businesses ----------------------------------------------------------------------------------
def test_every_business_gets_its_own_chain_whoever_created_it(table: str) -> None:
    add_business(BUSINESS, "Andina")
    # Another service wrote this one: none of the index keys that only we know.
    put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant="harbour").sk}, "name": {"S": "Harbour"}})
    write_week(BUSINESS)
    write_entry(TUESDAY, business="harbour")
    said, failed = seal_night()
    assert failed == []
    assert said[1].endswith("sealed 0 entries of 0 days, through 2025-09-18; began to seal 2 businesses")
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
    begun = [entry.target["id"] for entry in latest(50) if entry.action == "sealing.begin"]
    assert sorted(begun) == ["andina", "cafe", "harbour", "platform"]
    assert verify(FRIDAY_NIGHT + DAY)[0] == []


def test_more_businesses_than_fit_into_one_question(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due, "BATCH", 2)
    for number in range(5):
        put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant=f"b{number}").sk}})
    said, failed = seal_night()
    assert failed == []
    assert said[1].endswith("began to seal 5 businesses")
    assert {load_sealing(f"b{number}").began_at for number in range(5)} == {FRIDAY_NIGHT}


@pytest.mark.parametrize("name", ["nobody", "a#b", ""])
def test_a_business_that_is_not_there_is_said(table: str, name: str) -> None:
    seal_night()
    with pytest.raises(CommandError, match="There is no business"):
        call_command("verify_audit", business=name)


# --- Long days -----------------------------------------------------------------------------------
def crowd(count: int) -> None:
    """Thousands of entries of one day, past the transactions."""
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
def test_a_day_of_thousands_is_listed_in_parts(table: str) -> None:
    crowd(5_000)
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


def test_a_part_ends_before_an_item_does(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_TEXT", 500)
    write_week()
    for _ in range(10):
        write_entry(MONDAY + timedelta(hours=20))
    seal_night()
    parts = seal_of(MONDAY).list_parts()
    assert len(parts) > 2
    assert sum(part.entries for part in parts) == 12
    assert verify()[0] == []
