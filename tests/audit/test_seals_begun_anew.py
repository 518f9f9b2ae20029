"""Whoever wipes the platform's seals, and lets sealing begin anew over a trail that was rewritten, is named."""

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
from tests.table.notes import on_the_wire, put

DAY = timedelta(days=1)
LATER = FRIDAY_NIGHT + DAY + timedelta(hours=1)
REFUSED = f"platform: {BUSINESS} is sealed, but the record of how far it is sealed is gone."


@pytest.fixture
def weeks(table: str) -> None:
    """The platform and one business, both sealed."""
    add_business(BUSINESS, "Andina")
    write_week()
    write_week(BUSINESS)
    seal_night()
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert verify(FRIDAY_NIGHT + timedelta(minutes=2))[0] == []


def wipe(business: str | None, *prefixes: str) -> None:
    """Remove everything below a trail's partition whose sort key begins so."""
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


def rewrite(business: str | None = None) -> None:
    edit(key_of(raw_entries(MONDAY, business)[0]), action={"S": "person.view"})
    remove(key_of(raw_entries(TUESDAY, business)[0]))


SEALS = ("SEAL#", "SEALPART#", "SEALING")


def nights() -> list[str]:
    """The next night, twice; what failed."""
    return [failed for minutes in (0, 5) for failed in seal_night(FRIDAY_NIGHT + DAY + timedelta(minutes=minutes))[1]]


def test_the_platforms_seals_wiped_while_a_business_is_sealed(weeks: None) -> None:
    """Edit, delete, wipe SEAL#, SEALPART# and SEALING of SYSTEM, run_due: it refused to begin and both say why."""
    rewrite()
    wipe(None, *SEALS)
    failed = nights()
    assert len(failed) == 2
    assert all(REFUSED in each for each in failed)
    assert find_sealing(SYSTEM_SEALING) is None
    assert verify(LATER)[0] == [
        "platform: there are entries since 2025-09-15 and nothing is sealed: does run_due run?",
        f"platform: {BUSINESS} is sealed, and the platform's own record (SEALING) was removed",
    ]


def test_the_platforms_entries_wiped_as_well(weeks: None) -> None:
    wipe(None, *SEALS, "AUDIT#")
    assert all(REFUSED in each for each in nights())
    assert verify(LATER)[0] == [
        f"{BUSINESS}: sealed since 2025-09-19T00:15:00Z, and the platform's trail does not say so: "
        "its entry was removed",
        f"platform: {BUSINESS} is sealed, and the platform's own record (SEALING) was removed",
    ]


def test_the_platforms_trail_begun_anew_without_any_business(table: str) -> None:
    """Nothing is left that could refuse; the first beginning is still an entry."""
    write_week()
    seal_night()
    rewrite()
    wipe(None, *SEALS)
    assert nights() == []
    assert verify(LATER)[0] == ["platform: its sealing began again at 2025-09-20T00:15:00Z, after 2025-09-19T00:15:00Z"]


def test_the_platform_begun_anew_while_the_businesses_were_out_of_sight(weeks: None) -> None:
    """Take SEALING of the business away, let the platform begin, put it back: it is older than the platform's."""
    kept = on_the_wire(audit_trail(BUSINESS).sealing)
    assert kept is not None
    wipe(None, *SEALS, "AUDIT#")
    remove(audit_trail(BUSINESS).sealing)
    with frozen(FRIDAY_NIGHT + DAY):
        assert services.begin(audit_trail())
    put(kept)
    nights()
    since = f"{BUSINESS}: sealed since 2025-09-19T00:15:00Z"
    older = f"{since}, before the platform's trail: that was begun anew"
    problems = [f"{since}, and the platform's trail does not say so: its entry was removed", older]
    assert verify(LATER)[0] == problems
    assert verify(LATER, business=BUSINESS)[0] == problems


def test_a_business_wiped_with_the_entry_that_says_when_it_began(weeks: None) -> None:
    """On its first day that entry has no seal yet; but what is left of it must fit."""
    rewrite(BUSINESS)
    wipe(BUSINESS, *SEALS)
    (begun,) = [raw for raw in raw_entries(FRIDAY) if raw["target"]["M"]["id"]["S"] == BUSINESS]
    nights()
    remove(key_of(begun))
    problems = verify(LATER)[0]
    assert len(problems) == 1
    assert problems[0].endswith("(sealing.begin by system): was removed")


def test_the_entry_that_says_when_sealing_began_removed_before_its_day_is_sealed(weeks: None) -> None:
    for raw in raw_entries(FRIDAY):
        remove(key_of(raw))
    nights()
    assert verify(LATER)[0] == [
        f"{name}: sealed since 2025-09-19T00:15:00Z, and the platform's trail does not say so: its entry was removed"
        for name in ("platform", BUSINESS)
    ]
    assert verify(LATER, since="2025-09-20")[0] == [], "some days do not tell"


# --- What is no tampering ------------------------------------------------------------------------
def test_a_first_run_on_a_table_with_businesses_and_entries(table: str) -> None:
    add_business(BUSINESS, "Andina")
    write_week()
    write_week(BUSINESS)
    assert seal_night()[1] == seal_night(FRIDAY_NIGHT + timedelta(minutes=1))[1] == []
    assert verify()[0] == []


def test_a_slow_run_finds_that_another_has_begun_everything(weeks: None) -> None:
    """It had seen no record; what it meets now is the other's."""
    with frozen(FRIDAY_NIGHT):
        assert not services.begin(audit_trail())
        assert not services.begin(audit_trail(BUSINESS))


def test_a_business_that_begins_while_the_trails_are_verified(weeks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The platform's trail was read before; it is asked again."""
    trails = verify_audit.Command._trails

    def begins_in_between(self: verify_audit.Command, business: str | None) -> Iterator[Trail]:
        for trail in trails(self, business):
            if trail.name == "cafe":
                assert services.begin(trail)
                services.seal(trail, load_sealing("cafe"))
            yield trail

    put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant="cafe").sk}})
    monkeypatch.setattr(verify_audit.Command, "_trails", begins_in_between)
    assert verify(FRIDAY_NIGHT + timedelta(hours=2))[0] == []
    assert load_sealing("cafe").began_at == FRIDAY_NIGHT + timedelta(hours=2)


def test_a_beginning_of_no_business_breaks_nothing(weeks: None) -> None:
    write_entry(FRIDAY_NIGHT, action=services.BEGIN)
    (entry,) = [raw for raw in raw_entries(FRIDAY) if raw["target"]["M"]["type"]["S"] == "person"]
    edit(
        key_of(entry), target={"M": {"type": {"S": "business"}, "id": {"S": "a#b"}}}, GSI2PK={"S": "SYSTEM#TARGET#a#b"}
    )
    assert verify(FRIDAY_NIGHT + timedelta(minutes=2))[0] == []
