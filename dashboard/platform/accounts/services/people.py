"""What admins do with people. Each change is one transaction with its audit entry."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import DISABLED, INVITED, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links
from dashboard.platform.accounts.services.person_writes import is_admin, record_change, save, snapshot
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.queries import businesses_of
from dashboard.platform.businesses.services import copies
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

# So many fit into the transaction that takes an invitation back, each with its entry.
MAX_PLACES = 3


@idempotent
def invite(email: str, *, name: str, role: Role, command: Command) -> Person:
    """Give someone an account, to be opened by a link."""
    person, revision = _find_or_new(email)
    if person.state is not None:
        raise Refused(_("This person has an account already."), field="email")
    before = snapshot(person)
    person.name, person.back_office_role = name or person.name, role
    if not person.password_hash:
        person.invited_at = now()
    links.give(person, command)
    return save(person, "person.invite", before, was_admin=False, revision=revision, command=command)


@idempotent
def create(email: str, *, name: str, role: Role, password_hash: str, command: Command) -> Person:
    """An account that is open at once: for commands and demo data, where nobody follows a link."""
    person, revision = _find_or_new(email)
    before, was_admin = snapshot(person), is_admin(person)
    person.name, person.back_office_role = name or person.name, role
    person.password_hash = password_hash
    person.session_epoch = person.epoch + 1
    person.disabled_at = person.invited_at = None
    links.spend(person)
    return save(person, "person.create", before, was_admin=was_admin, revision=revision, command=command)


@idempotent
def edit(email: str, *, name: str, role: Role, revision: int, command: Command) -> Person:
    """Change someone's name or role. A new role ends their sessions: the old one's pages stay open nowhere."""
    person = queries.load_account(email)
    before, was_admin = snapshot(person), is_admin(person)
    if person.back_office_role != role:
        person.session_epoch = person.epoch + 1
        if person.state != INVITED:
            links.spend(person)  # It was made for the role they had.
    person.name, person.back_office_role = name or None, role
    if snapshot(person) == before:
        return unchanged(person, {"before": before}, command)
    saved = save(person, "person.edit", before, was_admin=was_admin, revision=revision, command=command)
    copies.follow_person(saved, before["name"])
    return saved


@idempotent
def disable(email: str, *, revision: int, command: Command) -> Person:
    """Keep someone out, at once: their sessions end with this write, and no link lets them in."""
    person = queries.load_account(email)
    if person.state == DISABLED:
        raise Conflict(person, _("This person is disabled already."))
    before, was_admin = snapshot(person), is_admin(person)
    if person.state != INVITED:
        links.spend(person)
    person.disabled_at = now()
    person.session_epoch = person.epoch + 1
    return save(person, "person.disable", before, was_admin=was_admin, revision=revision, command=command)


@idempotent
def enable(email: str, *, revision: int, command: Command) -> Person:
    """Let someone in again."""
    person = queries.load_account(email)
    if person.state != DISABLED:
        raise Conflict(person, _("This person is not disabled."))
    before = snapshot(person)
    person.disabled_at = None
    return save(person, "person.enable", before, was_admin=False, revision=revision, command=command)


@idempotent
def withdraw(email: str, *, revision: int, command: Command) -> None:
    """Take an invitation back that nobody has used."""
    person = queries.load_account(email)
    if person.state != INVITED:
        raise Conflict(person, _("This account has been opened: disable it instead."))
    before = snapshot(person)
    transaction = Transaction(command)
    if person.made_here:
        transaction.delete(person, revision=revision)
    else:
        person.back_office_role = person.invited_at = None
        links.spend(person)
        transaction.save(person, revision=revision)
    _leave_businesses(transaction, person)
    record_change(transaction, "person.withdraw", person, before, after=None)
    transaction.commit(None)


def _leave_businesses(transaction: Transaction, person: Person) -> None:
    """Whoever gets this address later must not come into a business with it."""
    places = businesses_of(person.email)
    if len(places) > MAX_PLACES:
        raise Refused(_("This person is in many businesses. Remove them there first."))
    for member in places:
        transaction.remove(member.key)
        record(
            transaction,
            "member.remove",
            target=person.email,
            kind="member",
            title=person.title,
            before={"business": member.business_name},
            business=member.business_id,
        )


@idempotent
def end_sessions(email: str, *, revision: int, command: Command) -> Person:
    """Sign someone out everywhere."""
    person = queries.load_account(email)
    before, was_admin = snapshot(person), is_admin(person)
    person.session_epoch = person.epoch + 1
    return save(person, "person.end_sessions", before, was_admin=was_admin, revision=revision, command=command)


def _find_or_new(email: str) -> tuple[Person, int | None]:
    """The person with this address and the revision they are at; a new one, at none, where nobody has it."""
    person = queries.find_person(email)
    revision = person.revision if person else None
    if person is None:
        person = Person.at(email=email)
        person.made_here, person.created_at = 1, now()
    person.email = email
    return person, revision
