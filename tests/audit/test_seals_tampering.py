"""Whatever is done to a sealed trail behind our back is named."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.audit.items import AuditEntry
from dashboard.audit.seals.canonical import hash_of, sha256
from dashboard.audit.seals.items import Line, SealPart
from dashboard.audit.seals.trails import audit_trail
from dashboard.table import oplog
from dashboard.table.items import Raw
from tests.audit.sealing import (
    BUSINESS,
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    SYSTEM_SEALING,
    THURSDAY,
    TUESDAY,
    WEDNESDAY,
    a_week,
    act,
    all_parts,
    edit,
    iso,
    key_of,
    name,
    night,
    raws,
    remove,
    remove_day,
    seal_of,
    state,
    verify,
)
from tests.conftest import add_business, every_engine
from tests.table.notes import on_the_wire, put

DAY = timedelta(days=1)


@pytest.fixture
def week(table: str) -> None:
    """A sealed week, in which nobody has tampered yet."""
    a_week()
    night()
    assert verify()[0] == []


def found() -> list[str]:
    return verify()[0]


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
    (entry,) = raws(TUESDAY)
    for what, change in EDITS.items():
        edit(key_of(entry), **change)
        assert found() == [f"{name(entry)}: was changed"], what
        put(entry)
    assert found() == []


@every_engine
def test_an_entry_that_was_removed(week: None) -> None:
    entry = raws(THURSDAY)[1]
    remove(key_of(entry))
    assert found() == [f"{name(entry)}: was removed"]


def test_an_entry_that_was_added_to_a_day_with_entries(week: None) -> None:
    act(THURSDAY + timedelta(hours=8, minutes=30))
    added = raws(THURSDAY)[1]
    assert found() == [f"{name(added)}: was added after the day was sealed"]


@pytest.mark.parametrize("day", [WEDNESDAY, MONDAY - 300 * DAY])
def test_an_entry_that_was_added_to_a_day_without(week: None, day: Any) -> None:
    act(day)
    (added,) = raws(day)
    assert found() == [f"{name(added)}: was added after the day was sealed"]


def test_two_entries_that_were_swapped(week: None) -> None:
    first, second = raws(MONDAY)
    place = ("PK", "SK")
    for one, other in ((first, second), (second, first)):
        put({**other, **{n: one[n] for n in place}})
    assert found() == [f"{name(first)}: was changed", f"{name(second)}: was changed"]


def test_an_entry_that_was_moved_to_another_time(week: None) -> None:
    first, _ = raws(MONDAY)
    remove(key_of(first))
    put({**first, "SK": {"S": first["SK"]["S"].replace("T09", "T11")}})
    moved = raws(MONDAY)[1]
    assert found() == [f"{name(first)}: was removed", f"{name(moved)}: was added after the day was sealed"]


def test_an_entry_of_the_future_and_one_of_no_day(week: None) -> None:
    act(FRIDAY + 400 * DAY)
    (entry,) = raws(TUESDAY)
    for odd in ("2025-09-1x#o1", "zebra#o2"):
        put({**entry, "SK": {"S": audit_trail_prefix() + odd}})
    problems = found()
    assert len(problems) == 3
    assert problems[0] == "platform 2025-09-1x#o1: its key names no day, so that no seal covers it"
    assert problems[1].endswith("is dated in the future")
    assert problems[2].startswith("platform zebra o2")
    night(FRIDAY_NIGHT + DAY)
    assert len(verify(FRIDAY_NIGHT + DAY)[0]) == 3, "and sealing goes on"


def audit_trail_prefix() -> str:
    return AuditEntry.pattern.under().prefix


def test_text_on_an_entry_cannot_forge_a_line_of_the_report(week: None) -> None:
    act(WEDNESDAY, action="x\nplatform: 9 days, 9 entries\x1b[2J")
    (problem,) = found()
    assert "(x?platform: 9 days, 9 entries?[2J by alma@example.com)" in problem


# --- What is no tampering ------------------------------------------------------------------------
def test_index_keys_written_anew_are_no_tampering(week: None) -> None:
    for raw in raws(MONDAY):
        edit(key_of(raw), GSI1PK={"S": "SOMEWHERE"}, GSI2PK=None, GSI2SK=None, GSI4PK={"S": "x"}, GSI4SK={"S": "y"})
    assert found() == []


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
    a_week()
    (entry,) = raws(TUESDAY)
    edit(key_of(entry), labels={"SS": ["b", "a", "c"]}, weight={"N": "2.50"})
    night()
    edit(key_of(entry), labels={"SS": ["c", "b", "a"]}, weight={"N": "2.5"})
    assert found() == []
    edit(key_of(entry), labels={"SS": ["c", "b"]})
    assert found() == [f"{name(entry)}: was changed"]


# --- Whole days ----------------------------------------------------------------------------------
def test_all_entries_of_a_day_removed(week: None) -> None:
    first, second = raws(MONDAY)
    remove_day(MONDAY, seal=False)
    assert found() == [
        f"{name(first)}: was removed",
        f"{name(second)}: was removed",
        "platform 2025-09-15: nothing of the day is left, 2 entries were removed",
    ]


@pytest.mark.parametrize("day", [MONDAY, TUESDAY, THURSDAY])
def test_a_day_removed_with_its_seal(week: None, day: Any) -> None:
    """The first, one in between, and the last."""
    remove_day(day, seal=True)
    assert found() == [f"platform {iso(day)}: the whole day was removed, its seal and its entries"]


def test_several_days_removed_with_their_seals(week: None) -> None:
    remove_day(MONDAY, seal=True)
    remove_day(TUESDAY, seal=True)
    assert found() == ["platform 2025-09-16: this day and 1 sealed before it were removed, seals and entries"]
    remove_day(THURSDAY, seal=True)
    assert found() == ["platform 2025-09-18: this day and 2 sealed before it were removed, seals and entries"]


def test_the_last_day_removed_and_sealing_moved_back(week: None) -> None:
    tuesday = seal_of(TUESDAY)
    remove_day(THURSDAY, seal=True)
    back = {"through": {"S": iso(WEDNESDAY)}, "day": {"S": iso(TUESDAY)}, "hash": {"S": tuesday.hash}}
    edit(SYSTEM_SEALING, **back, number={"N": "2"})
    altered = "platform: the record of how far it is sealed (SEALING) was altered: its signature is not ours"
    assert found() == [altered]
    said, (failed,) = night(FRIDAY_NIGHT + DAY)
    assert said == []
    assert "the record of how far it is sealed was altered" in failed
    assert state().through == iso(WEDNESDAY), "to go on would cover it up"


def test_sealing_moved_back_to_what_it_once_was(table: str) -> None:
    """An old copy bears a good signature; the seals that came after tell."""
    a_week()
    night(THURSDAY + timedelta(minutes=15))
    old = on_the_wire(SYSTEM_SEALING)
    night()
    assert old is not None
    put(old)
    problems = found()
    assert problems[0] == "platform: SEALING was moved back: it says 2025-09-17, and 2025-09-18 has a seal"
    assert problems[1:] == ["platform: the seals do not end where they should"]
    _, failed = night(FRIDAY_NIGHT + DAY)
    assert failed, "there is a seal already where the next should stand"


def test_sealing_removed(week: None) -> None:
    remove(SYSTEM_SEALING)
    assert found() == ["platform: there are seals, but the record of how far it is sealed (SEALING) was removed"]
    said, (failed,) = night(FRIDAY_NIGHT + DAY)
    assert said == []
    assert "there are seals, but the record of how far it is sealed is gone" in failed


def test_sealing_put_off_for_ever(week: None) -> None:
    """Not signed, for `run_due` moves it; but a trail that is not sealed any more is noticed."""
    far = "2099-01-01T00:00:00Z"
    edit(SYSTEM_SEALING, dueAt={"S": far}, GSIStatusSK={"S": far})
    night(FRIDAY_NIGHT + 3 * DAY)
    assert verify(FRIDAY_NIGHT + DAY)[0] == []
    assert verify(FRIDAY_NIGHT + 3 * DAY)[0] == ["platform: sealed only through 2025-09-18: does run_due run?"]


def test_a_trail_that_was_never_sealed(table: str) -> None:
    act(THURSDAY)
    assert found() == []
    assert verify(FRIDAY_NIGHT + DAY)[0] == [
        "platform: there are entries since 2025-09-18 and nothing is sealed: does run_due run?"
    ]


def test_each_thing_that_sealing_says_is_signed(week: None) -> None:
    raw = on_the_wire(SYSTEM_SEALING) or {}
    for attribute in ("through", "number", "day", "hash", "beganAt", "scope", "signature"):
        for other in (_other(raw[attribute]), None):
            edit(SYSTEM_SEALING, **{attribute: other})
            assert found()[0].endswith("(SEALING) was altered: its signature is not ours"), attribute
            put(raw)
    assert found() == []


# --- Seals ---------------------------------------------------------------------------------------
SEAL = audit_trail().seal


def _other(value: dict[str, Any]) -> dict[str, Any]:
    ((kind, content),) = value.items()
    if kind == "N":
        return {"N": str(int(content) + 1)}
    if kind == "L":
        return {"L": []}
    return {"S": "2025-09-14T00:00:00Z" if content.endswith("Z") else "2025-09-14"}


def test_each_thing_that_a_seal_says_is_hashed(week: None) -> None:
    raw = on_the_wire(SEAL(iso(TUESDAY))) or {}
    said = ("scope", "day", "number", "entries", "parts", "previousDay", "previousHash", "sealedAt", "hash")
    for attribute in said:
        for other in (_other(raw[attribute]), {"NULL": True}):
            edit(SEAL(iso(TUESDAY)), **{attribute: other})
            assert "platform 2025-09-16: the seal was altered" in found(), attribute
            put(raw)
    assert found() == []


@pytest.mark.parametrize(("day", "follows"), [(TUESDAY, "2025-09-18: the seal is out of chain"), (THURSDAY, None)])
def test_a_seal_forged_to_match_an_edited_entry(week: None, day: Any, follows: str | None) -> None:
    """Entry, list and hashes all fit; only the signature cannot be made without the key."""
    entry = raws(day)[0]
    edit(key_of(entry), action={"S": "person.disable"})
    forge(day)
    end = f"platform {follows}" if follows else "platform: the seals do not end where they should"
    assert found() == [end, f"platform {iso(day)}: the seal was forged: its signature is not ours"]


def forge(day: Any) -> None:
    """Make a day's list and seal anew over the entries as they are, as one would who knows all but the key."""
    seal, (part,) = seal_of(day), all_parts(day)
    trail = audit_trail()
    lines = [Line(trail.place(raw), hash_of(raw), "person.disable", "alma@example.com") for raw in raws(day)]
    text = "".join(SealPart.line(line) for line in lines)
    edit(part, text={"S": text})
    seal.parts = [{**seal.parts[0], "hash": sha256(text)}]
    forged = seal.serialize()["parts"]
    edit(seal.key, parts=forged, hash={"S": sha256(seal.content)})


def test_a_list_edited_to_match_an_edited_entry(week: None) -> None:
    (entry,) = raws(TUESDAY)
    edit(key_of(entry), action={"S": "person.disable"})
    (part,) = all_parts(TUESDAY)
    line = Line(audit_trail().place(entry), hash_of(raws(TUESDAY)[0]), "person.disable", "alma@example.com")
    edit(part, text={"S": SealPart.line(line)})
    assert found() == ["platform 2025-09-16: part 1 of 1 of the seal was altered (1 entries)"]


def test_a_list_that_is_none_any_more(week: None) -> None:
    (part,) = all_parts(TUESDAY)
    for text in ("nonsense", "[1,2]\n", "{}\n", "3\n"):
        edit(part, text={"S": text})
        assert found() == ["platform 2025-09-16: part 1 of 1 of the seal was altered (1 entries)"]
    remove(part)
    assert found() == ["platform 2025-09-16: part 1 of 1 of the seal is missing (1 entries)"]


def test_a_seal_removed(week: None) -> None:
    remove(SEAL(iso(TUESDAY)))
    assert found() == ["platform 2025-09-16: its seal is missing, so that its 1 entries cannot be checked"]
    remove(SEAL(iso(THURSDAY)))
    assert found() == [
        "platform 2025-09-16: its seal is missing, so that its 1 entries cannot be checked",
        "platform 2025-09-18: its seal is missing, so that its 3 entries cannot be checked",
    ]


def test_a_seal_of_another_trail_does_not_fit(table: str) -> None:
    add_business(BUSINESS, "Andina")
    a_week()
    a_week(BUSINESS)
    night()
    night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert found() == []
    for key in (SYSTEM_SEALING, SEAL(iso(TUESDAY))):
        raw: Raw = on_the_wire(key) or {}
        put({**raw, "PK": {"S": audit_trail(BUSINESS).scope}})
    problems = found()
    assert (
        f"{BUSINESS}: the record of how far it is sealed (SEALING) was altered: its signature is not ours" in problems
    )
    assert f"{BUSINESS} 2025-09-16: the seal was altered" in problems


def test_a_business_whose_seals_were_all_removed_and_begun_anew(table: str) -> None:
    add_business(BUSINESS, "Andina")
    a_week(BUSINESS)
    night()
    night(FRIDAY_NIGHT + timedelta(minutes=1))
    trail = audit_trail(BUSINESS)
    for day in (MONDAY, TUESDAY, THURSDAY):
        remove(trail.seal(iso(day)))
    remove(trail.sealing)
    remove(key_of(raws(MONDAY, BUSINESS)[0]))
    assert len(verify()[0]) == 1
    night(FRIDAY_NIGHT + DAY)
    night(FRIDAY_NIGHT + DAY + timedelta(minutes=1))
    problems, _ = verify(FRIDAY_NIGHT + DAY)
    assert problems == [
        f"{BUSINESS}: its sealing began again at 2025-09-20T00:15:00Z, after 2025-09-19T00:15:00Z",
    ]


# --- A noted head, and some days only ------------------------------------------------------------
def test_a_noted_head_stays_in_the_chain(week: None) -> None:
    noted = [seal_of(TUESDAY).hash, seal_of(THURSDAY).hash.upper()]
    assert verify(expected=noted)[0] == []
    assert verify(expected=["ab" * 32])[0] == [
        f"The noted head {'ab' * 32} is in no chain: what it stood for was rewritten or removed"
    ]


def test_only_some_days(week: None) -> None:
    (tuesday,) = raws(TUESDAY)
    edit(key_of(tuesday), action={"S": "x"})
    assert verify(since=iso(WEDNESDAY))[0] == []
    assert verify(until=iso(MONDAY))[0] == []
    assert verify(since=iso(TUESDAY), until=iso(TUESDAY))[0] == [f"{name(tuesday)}: was changed"]
    assert verify(since=iso(MONDAY), until=iso(WEDNESDAY))[0] == [f"{name(tuesday)}: was changed"]
    remove(SEAL(iso(THURSDAY)))
    assert verify(until=iso(MONDAY))[0] == []
    assert len(verify(since=iso(THURSDAY))[0]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--from=yesterday"], "invalid day value"),
        (["--from=2025-09-20", "--to=2025-09-19"], "--from is after --to"),
        (["--from=2025-09-20", "--expect-head=ab"], "leave out --from"),
    ],
)
def test_a_question_that_cannot_be_answered_is_said(table: str, arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("verify_audit", *arguments)


def test_verifying_asks_by_key_and_never_for_the_whole_table(week: None) -> None:
    with oplog.recording() as log:
        assert found() == []
    assert {call.operation for call in log.calls} <= {"Query", "GetItem", "BatchGetItem"}
    assert {call.index for call in log.calls} == {None}
    assert all(call.pattern.startswith("dashboard.audit.seals.queries.") for call in log.calls)
