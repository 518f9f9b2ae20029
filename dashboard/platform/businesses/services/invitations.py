"""Invitations by the owners of a business.

An owner who invites someone sees the invitation link, and could use it themselves. Such an account therefore belongs
to that business: owners of other businesses cannot add it. Only an admin can.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.items import DISABLED, Person
from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.accounts.queries import find_person
from dashboard.platform.accounts.services import links
from dashboard.platform.accounts.services.person_writes import audit_values, record_change
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member
from dashboard.platform.businesses.owners import ChangedMeanwhile
from dashboard.platform.businesses.services import members
from dashboard.table import tenancy
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent

MAX_PER_HOUR = 30


@idempotent
def invite(business: str, email: str, *, name: str, role: BusinessRole, command: Command) -> Member:
    """Add a person to a business. Someone without an account gets one, which they open with a link."""
    throttle.count_or_refuse(f"invitations of {business}", limit=MAX_PER_HOUR, seconds=3600)
    members.ensure_room(business)
    with tenancy.allowing_account(email):
        return retry_on(ChangedMeanwhile, lambda: _invite(queries.load_business(business), email, name, role, command))


def _invite(business: Business, email: str, name: str, role: BusinessRole, command: Command) -> Member:
    person = find_person(email)
    if person is not None:
        _ensure_may_join(person, business.id)
    transaction = Transaction(command)
    if person is None or person.state is None or person.is_invited_by(business.id):
        person = _write_invitation(transaction, person, business.id, email, name, command)
        member = members.create_member(transaction, business, person, role, name=name or None, invited_at=now())
    else:
        member = members.create_member(transaction, business, person, role)
    after = {"business": business.title, "role": role}
    members.record_member(transaction, "member.invite" if member.invited_at else "member.add", member, after=after)
    return transaction.commit(member)


def _ensure_may_join(person: Person, business: str) -> None:
    # Outside writers also create people. Someone who has a password or a second factor keeps it.
    has_credentials = person.state is None and bool(person.password_hash or person.totp_seed)
    is_other_role = person.state is not None and person.office_role != Role.OWNER
    if has_credentials or is_other_role or person.state == DISABLED:
        raise Refused(_("This account cannot be added here. Ask an admin."), field="email")
    if person.state is not None and person.invited_by_business not in (None, business):
        text = _("This person has an account with another business. Ask an admin to add them.")
        raise Refused(text, field="email")


def _write_invitation(
    transaction: Transaction, person: Person | None, business: str, email: str, name: str, command: Command
) -> Person:
    revision = person.revision if person else None
    if person is None:
        person = Person.new(email=email)
        person.made_here, person.created_at = 1, now()
    before = audit_values(person)
    person.email, person.back_office_role = email, Role.OWNER
    if person.made_here:
        person.name = name or person.name
    person.invited_at, person.invited_by_business = now(), business
    links.set_link(person, command)
    if revision is None:
        transaction.create(person)
    else:
        transaction.save(person, revision=revision)
    record_change(transaction, "person.invite", person, before, after=audit_values(person))
    return person


@idempotent
def create_link(business: str, email: str, *, revision: int, command: Command) -> Member:
    """Create a new link for someone who has not opened their account. The previous one stops working."""
    member = members.load_member(business, email)
    with tenancy.allowing_account(email):
        person = find_person(email)
        if person is None or not person.is_invited_by(business):
            raise Refused(_("This person has already activated their account. They can sign in."))
        before, person_revision = audit_values(person), person.revision
        transaction = Transaction(command)
        links.set_link(person, command)
        transaction.save(person, revision=person_revision)
        member.invited_at = now()
        transaction.save(member, revision=revision)
        record_change(transaction, "person.invite_again", person, before, after=audit_values(person))
        members.record_member(transaction, "member.invite_again", member, after={"business": member.business_name})
        return transaction.commit(member)


def token_of(email: str, command: Command) -> str | None:
    """The token of the link that this command created; None without one, or if a newer link replaced it."""
    with tenancy.allowing_account(email):
        person = find_person(email)
    return links.token_of(person, command) if person else None
