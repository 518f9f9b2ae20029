"""`verify_audit --business` notices that the audit trail of a business was deleted, with all its seals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.core.clock import frozen
from dashboard.platform.audit.seals.trails import audit_trail
from dashboard.platform.businesses.services import businesses
from dashboard.table import connection, keys
from dashboard.table.commands import new_command
from tests.audit.seal_helpers import FRIDAY, FRIDAY_NIGHT, MONDAY, key_of, remove, seal_night, verify, write_week
from tests.conftest import ACTOR, every_engine
from tests.table.notes import load_raw, put

BUSINESS = "andina"
NIGHT = FRIDAY_NIGHT + timedelta(minutes=2)
VALUES = {"name": "Andina", "slug": BUSINESS, "status": "ACTIVE", "plan": "PRO", "domain": "", "language": "es"}


def add_business(at: Any = MONDAY) -> None:
    """A business as an admin creates it, with its entries in both trails."""
    with frozen(at):
        businesses.create(VALUES | {"timezone": "America/Santiago"}, command=new_command(ACTOR))


@pytest.fixture
def sealed(table: str) -> None:
    """The platform and one business, both sealed for a week."""
    add_business()
    write_week(BUSINESS)
    seal_night()
    seal_night(FRIDAY_NIGHT + timedelta(minutes=1))
    assert problems() == []


def problems(at: Any = NIGHT, **options: Any) -> list[str]:
    return verify(at, business=BUSINESS, **options)[0]


def raws(scope: str, prefix: str) -> list[Any]:
    answer = connection.client().query(
        TableName=connection.table().table_name,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues={":pk": {"S": scope}, ":sk": {"S": prefix}},
    )
    return list(answer["Items"])


def delete_trail(*prefixes: str) -> None:
    """Delete the whole trail, or its items whose sort keys have these prefixes, directly in the table."""
    for prefix in prefixes or ("AUDIT#", "SEAL#", "SEALPART#", "SEALING"):
        for raw in raws(audit_trail(BUSINESS).scope, prefix):
            remove(key_of(raw))


def delete_from_platform(*actions: str) -> None:
    """Delete the platform's entries about the business."""
    for raw in raws(audit_trail().scope, "AUDIT#"):
        if raw["action"]["S"] in actions and raw["target"]["M"]["id"]["S"] == BUSINESS:
            remove(key_of(raw))


@every_engine
def test_a_trail_that_was_deleted_entirely_is_reported(sealed: None) -> None:
    delete_trail()
    expected = [f"{BUSINESS}: sealed since 2025-09-19T00:15:00Z, and the whole trail was removed: no seal, no entry"]
    assert problems() == expected
    assert verify(NIGHT)[0] == expected
    assert problems(since="2025-09-16", until="2025-09-17") == expected, "whichever days are verified"


def test_a_trail_that_was_deleted_with_its_business_is_reported(sealed: None) -> None:
    delete_trail()
    remove(keys.TENANT.key(tenant=BUSINESS))
    assert len(problems()) == 1


def test_a_trail_that_was_deleted_before_it_was_ever_sealed_is_reported(table: str) -> None:
    seal_night(MONDAY)
    add_business(MONDAY + timedelta(hours=9))
    assert problems(MONDAY + timedelta(hours=10)) == []
    delete_trail()
    expected = "created at 2025-09-15T09:00:00Z, and the entry about that was removed with all others"
    assert problems(MONDAY + timedelta(hours=10)) == [f"{BUSINESS}: {expected}"]


def test_a_trail_that_was_deleted_except_for_its_record_is_reported(sealed: None) -> None:
    delete_trail("AUDIT#", "SEAL#", "SEALPART#")
    (problem,) = problems()
    assert "were removed" in problem


def test_a_trail_that_was_deleted_and_then_sealed_again_is_reported(sealed: None) -> None:
    delete_trail()
    seal_night(FRIDAY_NIGHT + timedelta(days=1))
    assert problems(FRIDAY_NIGHT + timedelta(days=1, hours=1)) != []


def test_a_trail_that_was_deleted_with_the_entries_about_it_is_reported(sealed: None) -> None:
    """The business itself remains, and shows that a night has passed since its creation."""
    delete_trail()
    delete_from_platform("sealing.begin", "business.create")
    expected = "created at 2025-09-15T00:00:00Z, and nothing is sealed, while the platform is sealed through 2025-09-18"
    assert problems() == [f"{BUSINESS}: {expected}"]
    # If everything is verified, the seals of the platform's trail show that entries are missing there too.
    assert "(business.create by alma@example.com): was removed" in verify(NIGHT)[0][0]


# --- What is no deletion ---------------------------------------------------------------------------
def test_a_new_business_and_one_of_an_outside_writer_are_in_order(table: str) -> None:
    seal_night(FRIDAY_NIGHT)
    add_business(FRIDAY + timedelta(hours=9))
    put({"PK": {"S": "SYSTEM"}, "SK": {"S": keys.TENANT.key(tenant="harbour").sk}, "name": {"S": "Harbour"}})
    for name in (BUSINESS, "harbour"):
        assert verify(FRIDAY + timedelta(hours=10), business=name)[0] == []
    assert load_raw(audit_trail("harbour").sealing) is None


def test_a_business_that_never_was_is_not_found(sealed: None) -> None:
    with pytest.raises(CommandError, match="There is no business nobody"):
        call_command("verify_audit", business="nobody")
