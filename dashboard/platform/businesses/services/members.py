"""Adding and removing members of a business, by admins."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.audit.services import record
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent

# Attempts, in case the business is renamed between reading and copying its name.
TRIES = 3


class NoAccount(Refused):
    """Nobody with this address has an account or an invitation."""


class _Renamed(Conflict):
    """The name or the status of the business has changed since it was read."""


@idempotent
def add(business: str, email: str, *, command: Command) -> Member:
    """Make a person a member of a business."""
    person = find_person(email)
    if person is None or person.state is None:
        raise NoAccount(_("No account with this address."), field="email")
    if len(queries.members(business)) >= queries.MAX_MEMBERS:
        most = {"most": queries.MAX_MEMBERS}
        raise Refused(_("A business can have up to %(most)s people. Remove someone first.") % most, field="email")
    for _attempt in range(TRIES - 1):
        try:
            return _add(queries.load_business(business), person, command)
        except _Renamed:
            continue
    return _add(queries.load_business(business), person, command)


def _add(business: Business, person: Person, command: Command) -> Member:
    member = Member.new(tenant=business.id, email=person.email)
    member.business_id, member.email, member.name = business.id, person.email, person.name
    member.business_name, member.business_status, member.copied_revision = (
        business.title,
        business.status,
        business.revision,
    )
    transaction = Transaction(command)
    transaction.create(member, on_failure=_already_member)
    is_same = (Business.name == business.name) & (Business.status == business.status)
    transaction.check(business.key, is_same, lambda item: _Renamed(item) if item else NotFound())
    _record_change(transaction, "member.add", member, after={"business": business.title})
    return transaction.commit(member)


def _already_member(item: Item | None) -> Refused:
    return Refused(_("This person is already in the business."), field="email")


@idempotent
def remove(business: str, email: str, *, revision: int, command: Command) -> None:
    """Remove a member. Their next request to the business gets 404."""
    current, member = queries.load_business(business), queries.find_member(business, email)
    if member is None:
        raise Conflict(None, _("This person is no longer in the business."))
    transaction = Transaction(command)
    transaction.delete(member, revision=revision)
    _record_change(transaction, "member.remove", member, before={"business": current.title})
    transaction.commit(None)


def _record_change(transaction: Transaction, action: str, member: Member, **states: Any) -> None:
    """Record it in the audit trails of the platform and of the business."""
    entry: dict[str, Any] = {"target": member.email, "kind": "member", "title": member.title, **states}
    record(transaction, action, **entry)
    record(transaction, action, business=member.business_id, **entry)
