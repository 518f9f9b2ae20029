"""Changes to people by admins. Each one is a transaction with its audit entry."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.fields import PERSON_FIELDS
from dashboard.platform.accounts.items import DISABLED, INVITED, Person
from dashboard.platform.accounts.services import links
from dashboard.platform.accounts.services.person_writes import audit_values, is_admin, record_change, save
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.items import Member
from dashboard.platform.businesses.owners import ChangedMeanwhile
from dashboard.platform.businesses.queries import businesses_of
from dashboard.platform.businesses.services import last_owner, member_copies, ownerless
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# The memberships that fit into the transaction of a withdrawal, each with its audit entry.
MAX_MEMBERSHIPS = 3


@idempotent
def invite(email: str, *, command: Command, **values: Any) -> Person:
    """Invite a person with the given fields (`PERSON_FIELDS`). They open the account with a link."""
    person, revision = _find_or_new(email)
    if person.state is not None:
        raise Refused(_("This person already has an account."), field="email")
    before = audit_values(person)
    _apply_given(person, values)
    person.invited_by_business = None
    person.begin_epoch()  # Another program may have removed the account, but not its sessions.
    if not person.password_hash:
        person.invited_at = now()
    links.set_link(person, command)
    return save(person, "person.invite", before, was_admin=False, revision=revision, transaction=Transaction(command))


@idempotent
def create(email: str, *, password_hash: str, command: Command, **values: Any) -> Person:
    """Create an account with a password and the given fields (`PERSON_FIELDS`), for commands and demo data."""
    person, revision = _find_or_new(email)
    before, was_admin, opened_businesses = audit_values(person), is_admin(person), person.may_open_businesses
    _apply_given(person, values)
    person.password_hash = password_hash
    person.begin_epoch()
    person.disabled_at = person.invited_at = person.invited_by_business = None
    links.clear_link(person)
    transaction = Transaction(command)
    if opened_businesses and not person.may_open_businesses:
        last_owner.rely_on_others(transaction, email, confirmed=())
    return save(person, "person.create", before, was_admin=was_admin, revision=revision, transaction=transaction)


@idempotent
def edit(
    email: str, *, revision: int, command: Command, confirmed: Collection[str] = frozenset(), **values: Any
) -> Person:
    """Change the fields of a person (`PERSON_FIELDS`). A new role ends their sessions.

    `confirmed` has the ids of businesses that may lose their only owner.
    """

    def attempt() -> Person:
        person = queries.load_account(email)
        before, was_admin, opened_businesses = audit_values(person), is_admin(person), person.may_open_businesses
        PERSON_FIELDS.apply(person, values)
        if person.back_office_role != before["role"]:
            _ensure_nobody_else_knows_the_password(person)
            person.begin_epoch()
            if person.state != INVITED or person.invited_by_business:
                links.clear_link(person)  # It was created for the previous role, or an owner of a business has it.
            person.invited_by_business = None
        if audit_values(person) == before:
            return report_unchanged(person, {"before": before}, command)
        transaction = Transaction(command)
        if opened_businesses and not person.may_open_businesses:
            last_owner.rely_on_others(transaction, email, confirmed)
        return save(person, "person.edit", before, was_admin=was_admin, revision=revision, transaction=transaction)

    saved = retry_on(ChangedMeanwhile, attempt)
    before = saved.outcome.result["before"]
    member_copies.update_for_person(saved, before["name"])
    if saved.back_office_role != before["role"]:
        member_copies.update_access(saved)
    return saved


def _ensure_nobody_else_knows_the_password(person: Person) -> None:
    """An owner who invited someone could have used the link. That password must open no more than their business."""
    if person.invited_by_business and person.password_hash:
        text = _(
            "The business that created this account may know its password. Create a password link below, and change "
            "the role once the person has used it."
        )
        raise Refused(text, field="role")


@idempotent
def disable(email: str, *, revision: int, command: Command, confirmed: Collection[str] = frozenset()) -> Person:
    """Disable an account: its sessions end and its link stops working, for ever. `confirmed` as in `edit`."""

    def attempt() -> Person:
        person = queries.load_account(email)
        if person.state == DISABLED:
            raise Conflict(person, _("This person is already disabled."))
        transaction = Transaction(command)
        if person.may_open_businesses:
            last_owner.rely_on_others(transaction, email, confirmed)
        before, was_admin = audit_values(person), is_admin(person)
        links.clear_link(person)
        person.disabled_at = now()
        person.begin_epoch()
        return save(person, "person.disable", before, was_admin=was_admin, revision=revision, transaction=transaction)

    disabled = retry_on(ChangedMeanwhile, attempt)
    member_copies.update_access(disabled)
    return disabled


@idempotent
def enable(email: str, *, revision: int, command: Command) -> Person:
    """Enable a disabled account. No earlier session or link works again: an invited person needs a new link."""
    person = queries.load_account(email)
    if person.state != DISABLED:
        raise Conflict(person, _("This person is not disabled."))
    before = audit_values(person)
    person.disabled_at = None
    person.begin_epoch()
    links.clear_link(person)  # Earlier versions kept the link of an invitation.
    transaction = Transaction(command)
    enabled = save(person, "person.enable", before, was_admin=False, revision=revision, transaction=transaction)
    member_copies.update_access(enabled)
    return enabled


@idempotent
def withdraw(email: str, *, revision: int, command: Command, confirmed: Collection[str] = frozenset()) -> list[Member]:
    """Withdraw an unused invitation. Returns the memberships that it removes. `confirmed` as in `edit`."""
    person = queries.load_account(email)
    if person.state != INVITED:
        raise Conflict(person, _("This account is already in use. Disable it instead."))
    before = audit_values(person)
    transaction = Transaction(command)
    if person.made_here:
        transaction.delete(person, revision=revision)
    else:
        person.back_office_role = person.invited_at = person.invited_by_business = None
        links.clear_link(person)
        transaction.save(person, revision=revision)
    memberships = _leave_businesses(transaction, person, confirmed)
    record_change(transaction, "person.withdraw", person, before, after=None)
    transaction.commit(None)
    ownerless.update_marks([each for each in memberships if each.business_id in confirmed])
    return memberships


def _leave_businesses(transaction: Transaction, person: Person, confirmed: Collection[str]) -> list[Member]:
    """Remove the memberships: a later owner of the address must not get them."""
    memberships = businesses_of(person.email)
    if len(memberships) > MAX_MEMBERSHIPS:
        raise Refused(_("This person is in several businesses. Remove them there first."))
    last_owner.ensure_others_own(memberships, confirmed)
    for member in memberships:
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
    return memberships


@idempotent
def end_sessions(email: str, *, revision: int, command: Command) -> Person:
    """End all sessions of a person."""
    person = queries.load_account(email)
    before, was_admin = audit_values(person), is_admin(person)
    person.begin_epoch()
    transaction = Transaction(command)
    return save(person, "person.end_sessions", before, was_admin=was_admin, revision=revision, transaction=transaction)


def _apply_given(person: Person, values: Mapping[str, Any]) -> None:
    """Set the fields that are not empty. An outside writer may have stored the others."""
    PERSON_FIELDS.apply(person, {name: value for name, value in values.items() if value})


def _find_or_new(email: str) -> tuple[Person, int | None]:
    """The person with this address and their revision, or a new person and None."""
    person = queries.find_person(email)
    revision = person.revision if person else None
    if person is None:
        person = Person.new(email=email)
        person.made_here, person.created_at = 1, now()
    person.email = email
    return person, revision
