"""The audit entries about a person, for tests."""

from __future__ import annotations

from typing import Any

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import history

Told = tuple[str, str, dict[str, Any], dict[str, Any]]


def entries(email: str) -> list[AuditEntry]:
    """Newest first; none of them may hold a hash or a seed."""
    found = history(email)
    person = queries.find_person(email)
    for entry in found:
        written = str(entry.serialize())
        assert "argon2" not in written
        for secret in _secrets(person) if person else ():
            assert secret is None or secret not in written
    return found


def _secrets(person: Person) -> list[str | None]:
    return [person.password_hash, person.link_hash, person.totp_seed, *(person.recovery_hashes or ())]


def actions(email: str) -> list[str]:
    return [entry.action for entry in entries(email)]


def last(email: str) -> Told:
    """Who did what last, and what differs before and after."""
    entry = entries(email)[0]
    assert entry.target["id"] == email and entry.target["type"] == "person"
    changed = entry.changed
    before = {name: value for name, value, _ in changed}
    after = {name: value for name, _, value in changed}
    return entry.actor["email"], entry.action, before, after
