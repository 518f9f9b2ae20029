"""Writes many people directly to the table, as an outside writer does."""

from __future__ import annotations

from datetime import datetime

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.table.connection import table
from dashboard.table.retries import Backoff

_ROLES = (Role.MODERATOR, Role.STAFF, Role.OWNER)


def write_people(count: int, since: datetime) -> None:
    """Write people with accounts, 25 per call, without the rules of the services."""
    raws = [_raw(number, since) for number in range(count)]
    for start in range(0, count, 25):
        remaining = [{"PutRequest": {"Item": raw}} for raw in raws[start : start + 25]]
        backoff = Backoff(tries=20)
        while remaining:
            answer = table().connection.dispatch("BatchWriteItem", {"RequestItems": {table().table_name: remaining}})
            remaining = answer.get("UnprocessedItems", {}).get(table().table_name, [])
            if remaining and not backoff.wait():
                raise RuntimeError("The engine did not accept these items.")


def _raw(number: int, since: datetime) -> dict[str, dict[str, str]]:
    email = f"person-{number:06d}@example.com"
    person = Person.new(email=email)
    person.email, person.name, person.created_at = email, f"Person {number}", since
    person.back_office_role, person.password_hash = _ROLES[number % len(_ROLES)], "!"
    person.set_index_keys()
    raw: dict[str, dict[str, str]] = person.serialize()
    return raw
