"""The audit entries about a person, for tests."""

from __future__ import annotations

from typing import Any

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import history

EntrySummary = tuple[str, str, dict[str, Any], dict[str, Any]]


def entries(email: str) -> list[AuditEntry]:
    """The entries, newest first. Checks that none contains a hash or a seed."""
    newest_first = history(email)
    person = queries.find_person(email)
    for entry in newest_first:
        written = str(entry.serialize())
        assert "argon2" not in written
        for secret in _secrets(person) if person else ():
            assert secret is None or secret not in written
    return newest_first


def _secrets(person: Person) -> list[str | None]:
    return [person.password_hash, person.link_hash, person.totp_seed, *(person.recovery_hashes or ())]


def actions(email: str) -> list[str]:
    return [entry.action for entry in entries(email)]


def last_entry(email: str) -> EntrySummary:
    """The newest entry: who did it, the action, and the changed values before and after."""
    entry = entries(email)[0]
    assert entry.target["id"] == email and entry.target["type"] == "person"
    changed = entry.changed
    before = {name: value for name, value, _ in changed}
    after = {name: value for name, _, value in changed}
    return entry.actor["email"], entry.action, before, after
