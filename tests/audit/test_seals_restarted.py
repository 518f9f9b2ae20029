"""Removing the seals, rewriting the trail and starting sealing again is detected."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from dashboard.core.clock import frozen
from dashboard.platform.audit.management.commands import verify_audit
from dashboard.platform.audit.seals import services
from dashboard.platform.audit.seals.queries import find_sealing
from dashboard.platform.audit.seals.trails import Trail, audit_trail
from dashboard.table import connection, keys
from tests.audit.seal_helpers import (
    BUSINESS,
    FRIDAY,
    FRIDAY_NIGHT,
    MONDAY,
    SYSTEM_SEALING,
    TUESDAY,
    edit,
    key_of,
    load_sealing,
    raw_entries,
    remove,
    seal_night,
    verify,
    write_entry,
    write_week,
)
from tests.conftest import add_business
from tests.table.notes import load_raw, put

DAY = timedelta(days=1)
LATER = FRIDAY_NIGHT + DAY + timedelta(hours=1)
REFUSED = f"platform: {BUSINESS} is sealed, but the record of how far it is sealed is gone."


@pytest.fixture
def sealed_weeks(table: str) -> None:
    """The platform and one business, both with a sealed week."""
    add_business(BUSINESS, "Andina")
    write_week()
    write_week(BUSINESS)
    seal_night()
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert verify(FRIDAY_NIGHT + timedelta(minutes=2))[0] == []


def wipe(business: str | None, *prefixes: str) -> None:
    """Remove every item of a trail whose sort key begins with one of these prefixes."""
    client, name = connection.client(), connection.table().table_name
    values = {":pk": {"S": audit_trail(business).scope}}
    for prefix in prefixes:
        answer = client.query(
            TableName=name,
            KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
            ExpressionAttributeValues=values | {":sk": {"S": prefix}},
        )
        for raw in answer["Items"]:
            remove(key_of(raw))


def tamper_with_entries(business: str | None = None) -> None:
    edit(key_of(raw_entries(MONDAY, business)[0]), action={"S": "person.view"})
    remove(key_of(raw_entries(TUESDAY, business)[0]))


SEALS = ("SEAL#", "SEALPART#", "SEALING")


def run_next_night() -> list[str]:
    """Run two times in the next night. Returns the errors."""
    return [errors for minutes in (0, 5) for errors in seal_night(FRIDAY_NIGHT + DAY + timedelta(minutes=minutes))[1]]


def test_removing_the_platforms_seals_while_a_business_is_sealed(sealed_weeks: None) -> None:
    """Sealing refuses to start again, and `verify_audit` reports the removal."""
    tamper_with_entries()
    wipe(None, *SEALS)
    errors = run_next_night()
    assert len(errors) == 2
    assert all(REFUSED in each for each in errors)
    assert find_sealing(SYSTEM_SEALING) is None
    assert verify(LATER)[0] == [
        "platform: there are entries since 2025-09-15 and nothing is sealed: does run_due run?",
        f"platform: {BUSINESS} is sealed, and the platform's own record (SEALING) was removed",
    ]


def test_removing_the_platforms_seals_and_entries(sealed_weeks: None) -> None:
    wipe(None, *SEALS, "AUDIT#")
    assert all(REFUSED in each for each in run_next_night())
    assert verify(LATER)[0] == [
        f"{BUSINESS}: sealed since 2025-09-19T00:15:00Z, and the platform's trail does not say so: "
        "its entry was removed",
        f"platform: {BUSINESS} is sealed, and the platform's own record (SEALING) was removed",
    ]


def test_restarting_the_platforms_seals_without_any_business(table: str) -> None:
    """Nothing is left that could refuse the restart, but the entry of the first start still exists."""
    write_week()
    seal_night()
    tamper_with_entries()
    wipe(None, *SEALS)
    assert run_next_night() == []
    assert verify(LATER)[0] == ["platform: its sealing began again at 2025-09-20T00:15:00Z, after 2025-09-19T00:15:00Z"]


def test_restarting_the_platforms_seals_while_the_record_of_a_business_is_missing(sealed_weeks: None) -> None:
    """Remove SEALING of the business, start the platform, put it back: it is older than the platform's."""
    saved = load_raw(audit_trail(BUSINESS).sealing)
    assert saved is not None
    wipe(None, *SEALS, "AUDIT#")
    remove(audit_trail(BUSINESS).sealing)
    with frozen(FRIDAY_NIGHT + DAY):
        assert services.begin(audit_trail())
    put(saved)
    run_next_night()
    since = f"{BUSINESS}: sealed since 2025-09-19T00:15:00Z"
    older = f"{since}, before the platform's trail: that was begun anew"
    problems = [f"{since}, and the platform's trail does not say so: its entry was removed", older]
    assert verify(LATER)[0] == problems
    assert verify(LATER, business=BUSINESS)[0] == problems


def test_removing_the_seals_of_a_business_and_the_entry_of_its_start(sealed_weeks: None) -> None:
    """On its first day that entry is not sealed yet, but its removal is detected later."""
    tamper_with_entries(BUSINESS)
    wipe(BUSINESS, *SEALS)
    (begin_entry,) = [raw for raw in raw_entries(FRIDAY) if raw["target"]["M"]["id"]["S"] == BUSINESS]
    run_next_night()
    remove(key_of(begin_entry))
    problems = verify(LATER)[0]
    assert len(problems) == 1
    assert problems[0].endswith("(sealing.begin by system): was removed")


def test_removing_the_entry_of_the_start_before_its_day_is_sealed(sealed_weeks: None) -> None:
    for raw in raw_entries(FRIDAY):
        remove(key_of(raw))
    run_next_night()
    assert verify(LATER)[0] == [
        f"{name}: sealed since 2025-09-19T00:15:00Z, and the platform's trail does not say so: its entry was removed"
        for name in ("platform", BUSINESS)
    ]
    assert verify(LATER, since="2025-09-20")[0] == [], "a check of some days only does not report it"


# --- No tampering --------------------------------------------------------------------------------
def test_a_first_run_on_a_table_with_entries_is_no_problem(table: str) -> None:
    add_business(BUSINESS, "Andina")
    write_week()
    write_week(BUSINESS)
    assert seal_night()[1] == seal_night(FRIDAY_NIGHT + timedelta(minutes=1))[1] == []
    assert verify()[0] == []


def test_a_slow_run_does_not_start_what_another_run_has_started(sealed_weeks: None) -> None:
    """It read no record before. Now it finds the record of the other run."""
    with frozen(FRIDAY_NIGHT):
        assert not services.begin(audit_trail())
        assert not services.begin(audit_trail(BUSINESS))


def test_a_business_whose_sealing_starts_during_verification_is_no_problem(
    sealed_weeks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform's trail was read before, so it is read again."""
    trails = verify_audit.Command._trails

    def begin_cafe_meanwhile(self: verify_audit.Command, business: str | None) -> Iterator[Trail]:
        for trail in trails(self, business):
            if trail.name == "cafe":
                assert services.begin(trail)
                services.seal(trail, load_sealing("cafe"))
            yield trail

    put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant="cafe").sk}})
    monkeypatch.setattr(verify_audit.Command, "_trails", begin_cafe_meanwhile)
    assert verify(FRIDAY_NIGHT + timedelta(hours=2))[0] == []
    assert load_sealing("cafe").began_at == FRIDAY_NIGHT + timedelta(hours=2)


def test_a_start_entry_with_an_invalid_business_is_no_problem(sealed_weeks: None) -> None:
    write_entry(FRIDAY_NIGHT, action=services.BEGIN)
    (entry,) = [raw for raw in raw_entries(FRIDAY) if raw["target"]["M"]["type"]["S"] == "person"]
    edit(
        key_of(entry), target={"M": {"type": {"S": "business"}, "id": {"S": "a#b"}}}, GSI2PK={"S": "SYSTEM#TARGET#a#b"}
    )
    assert verify(FRIDAY_NIGHT + timedelta(minutes=2))[0] == []
