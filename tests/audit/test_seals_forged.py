"""Altered, forged, removed and copied seals are reported, and a noted head must be in the chain."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.platform.audit.seals.canonical import hash_of, sha256
from dashboard.platform.audit.seals.items import SealedEntry, SealPart
from dashboard.platform.audit.seals.trails import audit_trail
from dashboard.table import oplog
from dashboard.table.items import Raw
from tests.audit.seal_helpers import (
    BUSINESS,
    FRIDAY_NIGHT,
    MONDAY,
    SYSTEM_SEALING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    all_parts,
    different_value,
    edit,
    entry_name,
    find_problems,
    iso,
    key_of,
    raw_entries,
    remove,
    seal_night,
    seal_of,
    verify,
    write_week,
)
from tests.conftest import add_business
from tests.table.notes import load_raw, put

DAY = timedelta(days=1)


# --- Seals ---------------------------------------------------------------------------------------
SEAL = audit_trail().seal


def test_changing_any_attribute_of_a_seal_is_reported(week: None) -> None:
    raw = load_raw(SEAL(iso(TUESDAY))) or {}
    attributes = ("scope", "day", "number", "entries", "parts", "previousDay", "previousHash", "sealedAt", "hash")
    for attribute in attributes:
        for other in (different_value(raw[attribute]), {"NULL": True}):
            edit(SEAL(iso(TUESDAY)), **{attribute: other})
            assert "platform 2025-09-16: the seal was altered" in find_problems(), attribute
            put(raw)
    assert find_problems() == []


@pytest.mark.parametrize(("day", "next_problem"), [(TUESDAY, "2025-09-18: the seal is out of chain"), (THURSDAY, None)])
def test_a_forged_seal_that_matches_an_edited_entry_is_reported(week: None, day: Any, next_problem: str | None) -> None:
    """Entry, list and hashes match. Only the signature cannot be forged without the key."""
    entry = raw_entries(day)[0]
    edit(key_of(entry), action={"S": "person.disable"})
    forge(day)
    end = f"platform {next_problem}" if next_problem else "platform: the seals do not end where they should"
    assert find_problems() == [end, f"platform {iso(day)}: the seal was forged: its signature is not ours"]


def forge(day: Any) -> None:
    """Replace a day's list and seal to match its entries, as someone without the signing key can do."""
    seal, (part,) = seal_of(day), all_parts(day)
    trail = audit_trail()
    lines = [
        SealedEntry(trail.position(raw), hash_of(raw), "person.disable", "alma@example.com") for raw in raw_entries(day)
    ]
    text = "".join(SealPart.line(line) for line in lines)
    edit(part, text={"S": text})
    seal.parts = [{**seal.parts[0], "hash": sha256(text)}]
    parts = seal.serialize()["parts"]
    edit(seal.key, parts=parts, hash={"S": sha256(seal.content)})


def test_a_list_that_was_edited_to_match_an_edited_entry_is_reported(week: None) -> None:
    (entry,) = raw_entries(TUESDAY)
    edit(key_of(entry), action={"S": "person.disable"})
    (part,) = all_parts(TUESDAY)
    line = SealedEntry(
        audit_trail().position(entry), hash_of(raw_entries(TUESDAY)[0]), "person.disable", "alma@example.com"
    )
    edit(part, text={"S": SealPart.line(line)})
    assert find_problems() == ["platform 2025-09-16: part 1 of 1 of the seal was altered (1 entries)"]


def test_an_invalid_or_missing_list_is_reported(week: None) -> None:
    (part,) = all_parts(TUESDAY)
    for text in ("nonsense", "[1,2]\n", "{}\n", "3\n", "[1,2,3,4]\n"):
        edit(part, text={"S": text})
        assert find_problems() == ["platform 2025-09-16: part 1 of 1 of the seal was altered (1 entries)"]
    remove(part)
    assert find_problems() == ["platform 2025-09-16: part 1 of 1 of the seal is missing (1 entries)"]


def test_an_invalid_item_in_place_of_a_seal_is_reported(week: None) -> None:
    """The invalid seal is reported, and the days after it are still checked."""
    raw = load_raw(SEAL(iso(TUESDAY))) or {}
    for parts in ({"S": "x"}, {"L": [{"S": "x"}]}, {"L": [{"M": {"part": {"S": "x"}}}]}):
        edit(SEAL(iso(TUESDAY)), parts=parts)
        assert find_problems() == ["platform 2025-09-16: the seal was altered"]
    put({"PK": raw["PK"], "SK": raw["SK"]})
    assert find_problems()[0] == "platform 2025-09-16: the seal was altered"
    put(raw)
    prefix = audit_trail().seals.prefix
    for odd in ("2025-09-1x", "2025#x"):
        put({**raw, "SK": {"S": prefix + odd}})
    assert find_problems() == [
        "platform 2025#x: a seal of no day, which is not ours",
        "platform 2025-09-1x: a seal of no day, which is not ours",
    ]


def test_removing_a_seal_is_reported(week: None) -> None:
    remove(SEAL(iso(TUESDAY)))
    assert find_problems() == ["platform 2025-09-16: its seal is missing, so that its 1 entries cannot be checked"]
    remove(SEAL(iso(THURSDAY)))
    assert find_problems() == [
        "platform 2025-09-16: its seal is missing, so that its 1 entries cannot be checked",
        "platform 2025-09-18: its seal is missing, so that its 3 entries cannot be checked",
    ]


def test_a_seal_copied_from_another_trail_is_reported(table: str) -> None:
    add_business(BUSINESS, "Andina")
    write_week()
    write_week(BUSINESS)
    seal_night()
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert find_problems() == []
    for key in (SYSTEM_SEALING, SEAL(iso(TUESDAY))):
        raw: Raw = load_raw(key) or {}
        put({**raw, "PK": {"S": audit_trail(BUSINESS).scope}})
    problems = find_problems()
    assert (
        f"{BUSINESS}: the record of how far it is sealed (SEALING) was altered: its signature is not ours" in problems
    )
    assert f"{BUSINESS} 2025-09-16: the seal was altered" in problems


def test_restarting_the_seals_of_a_business_is_reported(table: str) -> None:
    add_business(BUSINESS, "Andina")
    write_week(BUSINESS)
    seal_night()
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    trail = audit_trail(BUSINESS)
    for day in (MONDAY, TUESDAY, THURSDAY):
        remove(trail.seal(iso(day)))
    remove(trail.sealing)
    remove(key_of(raw_entries(MONDAY, BUSINESS)[0]))
    assert len(verify()[0]) == 1
    seal_night(FRIDAY_NIGHT + DAY)
    seal_night(FRIDAY_NIGHT + DAY + timedelta(minutes=1))
    problems, _ = verify(FRIDAY_NIGHT + DAY)
    assert problems == [
        f"{BUSINESS}: its sealing began again at 2025-09-20T00:15:00Z, after 2025-09-19T00:15:00Z",
    ]


# --- Noted heads, and a range of days ------------------------------------------------------------
def test_a_noted_head_that_is_in_no_chain_is_reported(week: None) -> None:
    noted = [seal_of(TUESDAY).hash, seal_of(THURSDAY).hash.upper()]
    assert verify(expected=noted)[0] == []
    assert verify(expected=["ab" * 32])[0] == [
        f"The noted head {'ab' * 32} is in no chain: the entries that it covered were rewritten or removed"
    ]


def test_only_problems_in_the_range_of_days_are_reported(week: None) -> None:
    (tuesday,) = raw_entries(TUESDAY)
    edit(key_of(tuesday), action={"S": "x"})
    assert verify(since=iso(WEDNESDAY))[0] == []
    assert verify(until=iso(MONDAY))[0] == []
    assert verify(since=iso(TUESDAY), until=iso(TUESDAY))[0] == [f"{entry_name(tuesday)}: was changed"]
    assert verify(since=iso(MONDAY), until=iso(WEDNESDAY))[0] == [f"{entry_name(tuesday)}: was changed"]
    remove(SEAL(iso(THURSDAY)))
    assert verify(until=iso(MONDAY))[0] == []
    assert len(verify(since=iso(THURSDAY))[0]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from=yesterday"], "invalid day value"),
        (["--from=2025-09-20", "--to=2025-09-19"], "--from is after --to"),
        (["--from=2025-09-20", "--expect-head=ab"], "leave out --from"),
    ],
)
def test_invalid_arguments_are_refused(table: str, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("verify_audit", *arguments)


def test_verifying_reads_by_key_and_never_scans(week: None) -> None:
    with oplog.recording() as log:
        assert find_problems() == []
    assert {call.operation for call in log.calls} <= {"Query", "GetItem", "BatchGetItem"}
    ours = [call for call in log.calls if call.pattern.startswith("dashboard.platform.audit.seals.queries.")]
    assert {call.index for call in ours} == {None}
    # An index shows whether there is a moderation log.
    others = {call.pattern for call in log.calls if call not in ours}
    assert others == {"forum.queries.raw_log.oldest_entry"}
