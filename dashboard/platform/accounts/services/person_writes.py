"""Writes a person, the roster of admins and the audit entry in one transaction."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import size
from pynamodb.expressions.operand import Path

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts.fields import PERSON_FIELDS
from dashboard.platform.accounts.items import Admins, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.audit.services import record
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction

ItemT = TypeVar("ItemT", bound=Item)


def save(
    person: Person,
    action: str,
    before: dict[str, Any],
    *,
    was_admin: bool,
    revision: int | None,
    transaction: Transaction,
) -> Person:
    """Add the writes to the transaction and commit it; `revision` is None for a new person."""
    if revision is None:
        transaction.create(person)
    else:
        transaction.save(person, revision=revision)
    update_roster(transaction, person, was_admin=was_admin)
    record_change(transaction, action, person, before, after=audit_values(person))
    return transaction.commit(person, {"before": before})


def is_admin(person: Person) -> bool:
    return person.state == Role.ADMIN


def update_roster(transaction: Transaction, person: Person, *, was_admin: bool) -> None:
    """Add an admin to the roster or remove one in the same transaction. The last one cannot be removed."""
    key = keys.ADMINS.key()
    if is_admin(person) and not was_admin:
        transaction.update(key, [Admins.emails.add({person.email})], None, Conflict)
    elif was_admin and not is_admin(person):
        more_than_one = size(Path(["emails"])) > 1  # type: ignore[no-untyped-call]
        has_others = more_than_one | (Admins.emails.exists() & ~Admins.emails.contains(person.email))
        last = _("This is the last admin who can sign in. Make someone else an admin first.")
        transaction.update(key, [Admins.emails.delete({person.email})], has_others, lambda _: Refused(last))


def audit_values(person: Person) -> dict[str, Any]:
    """The values for the audit trail and for Undo; never a hash."""
    state = person.listed_as if person.state else None
    return PERSON_FIELDS.values_of(person) | {"state": state}


def record_change(
    transaction: Transaction, action: str, person: Person, before: dict[str, Any], after: dict[str, Any] | None
) -> None:
    record(transaction, action, target=person.email, kind="person", title=person.title, before=before, after=after)
