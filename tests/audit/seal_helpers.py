"""Helpers for the tests of seals: write a week of entries, seal it, tamper with it and verify it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management import CommandError, call_command

from dashboard.core.clock import frozen
from dashboard.platform.audit.seals.items import Seal, Sealing
from dashboard.platform.audit.seals.queries import find_sealing
from dashboard.platform.audit.seals.trails import all_pages, audit_trail
from dashboard.platform.audit.services import record
from dashboard.table import connection, keys, read
from dashboard.table.commands import new_command
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.transactions import Transaction
from tests.conftest import ACTOR
from tests.table.notes import load_raw, put

# The week of `write_week`.
MONDAY = datetime(2025, 9, 15, tzinfo=UTC)
TUESDAY, WEDNESDAY, THURSDAY, FRIDAY = (MONDAY + timedelta(days=n) for n in (1, 2, 3, 4))
FRIDAY_NIGHT = FRIDAY + timedelta(minutes=15)
BUSINESS = "andina"


def iso(day: datetime) -> str:
    return day.date().isoformat()


def write_entry(at: datetime, action: str = "person.edit", business: str | None = None, **after: Any) -> None:
    """Write the audit entry of one action of Alma, as services do."""
    with frozen(at):
        transaction = Transaction(new_command(ACTOR))
        record(
            transaction,
            action,
            target="marco@example.com",
            kind="person",
            title="Marco",
            before={"name": "M"},
            after={"name": "Marco", "age": 7, "tags": ["a", "b"], **after},
            business=business,
        )
        transaction.commit(None)


def write_week(business: str | None = None) -> None:
    """Write two entries on Monday, one on Tuesday, none on Wednesday and three on Thursday."""
    for day, hours in ((MONDAY, (9, 10)), (TUESDAY, (9,)), (THURSDAY, (8, 9, 10))):
        for hour in hours:
            write_entry(day + timedelta(hours=hour), business=business)


COUNTING_TASKS = (
    "ensure_moderation_statistics",
    "moderation rollup",
    "ensure_domain_count",
    "domain count",
    "ensure_results_task",
    "activity results",
    "ensure_archive_task",
    "archive task",
    "create_log_tables",
)


def seal_night(at: datetime = FRIDAY_NIGHT, **options: Any) -> tuple[list[str], list[str]]:
    """Run `run_due` at this time. Returns the printed lines about sealing, and the errors."""
    out, err = io.StringIO(), io.StringIO()
    with frozen(at):
        try:
            call_command("run_due", stdout=out, stderr=err, **options)
        except CommandError:
            assert err.getvalue()
    lines = [line for line in out.getvalue().splitlines() if not line.startswith(COUNTING_TASKS)]
    return lines, err.getvalue().splitlines()


def verify(at: datetime = FRIDAY_NIGHT, **options: Any) -> tuple[list[str], list[str]]:
    """Run `verify_audit`. Returns the problems, and the summaries and notes."""
    out = io.StringIO()
    problems = 0
    with frozen(at):
        try:
            call_command("verify_audit", stdout=out, stderr=io.StringIO(), **options)
        except CommandError as error:
            assert error.returncode == 1
            problems = int(str(error).split()[0])
    lines = out.getvalue().splitlines()
    summaries = [line for line in lines if ", head " in line or "older key" in line or line.startswith("Note: ")]
    problem_lines = [line for line in lines if line not in summaries]
    assert len(problem_lines) == problems
    return problem_lines, summaries


def raw_entries(day: datetime, business: str | None = None) -> list[Raw]:
    return list(audit_trail(business).day(iso(day)))


def key_of(raw: Raw) -> Key:
    return Key(raw["PK"]["S"], raw["SK"]["S"])


def entry_name(raw: Raw) -> str:
    """The start of a line of `verify_audit` about this entry."""
    at, entry = raw["SK"]["S"].split("#")[1:]
    scope = raw["PK"]["S"].partition("#")[2] or "platform"
    return f"{scope} {at} {entry} ({raw['action']['S']} by {raw['actor']['M']['email']['S']})"


def edit(key: Key, **attributes: dict[str, Any] | None) -> None:
    """Change attributes of a stored item directly. None removes an attribute."""
    raw = dict(load_raw(key) or {})
    assert raw
    raw.update({n: value for n, value in attributes.items() if value is not None})
    put({n: value for n, value in raw.items() if attributes.get(n, value) is not None})


def remove(key: Key) -> None:
    connection.client().delete_item(
        TableName=connection.table().table_name, Key={"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    )


def remove_day(day: datetime, *, seal: bool, business: str | None = None) -> None:
    trail = audit_trail(business)
    for raw in raw_entries(day, business):
        remove(key_of(raw))
    if seal:
        remove(trail.seal(iso(day)))
        for part in list(all_parts(day, business)):
            remove(part)


def all_parts(day: datetime, business: str | None = None) -> Iterator[Key]:
    collection = audit_trail(business).parts(iso(day))
    yield from (key_of(raw) for raw in all_pages(lambda start_key: read.raw_page(collection, start_key=start_key)))


def seal_of(day: datetime, business: str | None = None) -> Seal:
    found = read.get(Seal, audit_trail(business).seal(iso(day)))
    assert found is not None
    return found


def load_sealing(business: str | None = None) -> Sealing:
    found = find_sealing(audit_trail(business).sealing)
    assert found is not None
    return found


SYSTEM_SEALING = keys.SYSTEM_SEALING.key()


def find_problems() -> list[str]:
    """The problems that `verify_audit` finds in the night after the week."""
    return verify()[0]


def different_value(value: dict[str, Any]) -> dict[str, Any]:
    """A different value of the same type."""
    ((kind, content),) = value.items()
    if kind == "N":
        return {"N": str(int(content) + 1)}
    if kind == "L":
        return {"L": []}
    return {"S": "2025-09-14T00:00:00Z" if content.endswith("Z") else "2025-09-14"}
