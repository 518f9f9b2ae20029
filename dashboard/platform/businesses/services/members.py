"""Adding and removing members of a business, and their roles. A business keeps an owner who can sign in."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.platform.accounts.items import INVITED, Person
from dashboard.platform.accounts.permissions import BusinessRole
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.accounts.services import links
from dashboard.platform.audit.services import record
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.platform.businesses.owners import ChangedMeanwhile
from dashboard.platform.businesses.services import last_owner, ownerless
from dashboard.table import read, tenancy, write
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged


class NoAccount(Refused):
    """Nobody with this address has an account or an invitation."""


@idempotent
def add(business: str, email: str, role: BusinessRole = BusinessRole.OWNER, *, command: Command) -> Member:
    """Make a person a member of a business, by an admin."""
    person = find_person(email)
    if person is None or person.state is None:
        raise NoAccount(_("No account with this address."), field="email")
    if person.state == INVITED and person.invited_by_business not in (None, business):
        text = _("Another business invited this person. Create a new link for them first.")
        raise Refused(text, field="email")
    ensure_room(business)
    return retry_on(ChangedMeanwhile, lambda: _add(queries.load_business(business), person, role, command))


def ensure_room(business: str) -> None:
    if len(queries.members(business)) >= queries.MAX_MEMBERS:
        most = {"most": queries.MAX_MEMBERS}
        raise Refused(_("A business can have up to %(most)s people. Remove someone first.") % most, field="email")


def _add(business: Business, person: Person, role: BusinessRole, command: Command) -> Member:
    transaction = Transaction(command)
    member = create_member(transaction, business, person, role)
    record_member(transaction, "member.add", member, after={"business": business.title, "role": role})
    return transaction.commit(member)


def create_member(
    transaction: Transaction,
    business: Business,
    person: Person,
    role: BusinessRole,
    *,
    name: str | None = None,
    invited_at: datetime | None = None,
) -> Member:
    """Add the steps that create a member. They fail if the business has changed since it was read.

    `name` is set for an invited person whose own name the owner does not know yet.
    """
    member = Member.new(tenant=business.id, email=person.email)
    member.business_id, member.email, member.role = business.id, person.email, role
    member.name = name if invited_at else person.name
    member.business_name, member.business_status = business.title, business.status
    member.copied_revision, member.invited_at = business.revision, invited_at
    member.locked_at = None if person.may_open_businesses or person.state == INVITED else now()
    transaction.create(member, on_failure=_already_member)
    if member.is_active_owner:
        ownerless.unmark(transaction, business.id)
    is_same = (Business.name == business.name) & (Business.status == business.status)
    transaction.check(business.key, is_same, lambda item: ChangedMeanwhile(item) if item else NotFound())
    return member


def _already_member(item: Item | None) -> Refused:
    return Refused(_("This person is already in the business."), field="email")


@idempotent
def change_role(business: str, email: str, *, role: BusinessRole, revision: int, command: Command) -> Member:
    """Give a member another role. It applies from their next request on."""

    def attempt() -> Member:
        member = load_member(business, email)
        before = member.role or BusinessRole.OWNER
        if before == role:
            return report_unchanged(member, {"before": before}, command)
        transaction = Transaction(command)
        with last_owner.relying_on_another(transaction, member):
            member.role = role
            transaction.save(member, revision=revision)
            if member.is_active_owner:
                ownerless.unmark(transaction, business)
            record_member(transaction, "member.role", member, before={"role": before}, after={"role": role})
            return transaction.commit(member, {"before": before})

    return retry_on(ChangedMeanwhile, attempt)


@idempotent
def remove(business: str, email: str, *, revision: int, command: Command) -> None:
    """Remove a member. Their next request to the business gets 404, and an unused invitation stops working."""

    def attempt() -> None:
        current, member = queries.load_business(business), load_member(business, email)
        transaction = Transaction(command)
        with last_owner.relying_on_another(transaction, member):
            transaction.delete(member, revision=revision)
            _end_invitation(transaction, member)
            before = {"business": current.title, "role": member.role or BusinessRole.OWNER}
            record_member(transaction, "member.remove", member, before=before)
            transaction.commit(None)

    with tenancy.allowing_account(email):
        return retry_on(ChangedMeanwhile, attempt)


def _end_invitation(transaction: Transaction, member: Member) -> None:
    """Clear the link of an account that was created for this business and never opened."""
    person = find_person(member.email) if member.invited_at else None
    if person is not None and person.is_invited_by(member.business_id):
        revision = person.revision
        links.clear_link(person)
        transaction.save(person, revision=revision, on_failure=ChangedMeanwhile)


def record_first_use(member: Member) -> Future[Any]:
    """Note that an invited person has opened the business, without making the request wait."""
    actions = [Member.invited_at.remove()]
    return read.in_background(lambda: write.update(member.key, actions, Member.invited_at.exists()))


def load_member(business: str, email: str) -> Member:
    member = queries.find_member(business, email)
    if member is None:
        raise Conflict(None, _("This person is no longer in the business."))
    return member


def record_member(transaction: Transaction, action: str, member: Member, **states: Any) -> None:
    """Record a change in the trail of the business. If an admin made it, record it in the platform's trail too."""
    entry: dict[str, Any] = {"target": member.email, "kind": "member", "title": member.title, **states}
    if tenancy.bound.get() is None:
        record(transaction, action, **entry)
    record(transaction, action, business=member.business_id, **entry)
