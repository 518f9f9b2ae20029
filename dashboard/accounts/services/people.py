"""What admins do with people. Each change is one transaction with its audit entry."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import size
from pynamodb.expressions.operand import Path

from dashboard.accounts import queries
from dashboard.accounts.items import DISABLED, INVITED, Admins, Person
from dashboard.accounts.permissions import Role
from dashboard.audit.services import record
from dashboard.clock import now
from dashboard.errors import Conflict, NotFound, Refused
from dashboard.table import keys
from dashboard.table.operations import Operation
from dashboard.table.transactions import Transaction, once

INVITATION_LIFE = timedelta(days=7)
RESET_LIFE = timedelta(hours=24)


@once
def invite(email: str, *, name: str, role: Role, operation: Operation) -> Person:
    """Give someone an account, to be opened by a link."""
    person = queries.find_person(email)
    new = person is None
    if person is None:
        person = Person.at(email=email)
        person.email = email
        person.made_here = 1
        person.created_at = now()
    elif person.state is not None:
        raise Refused(_("This person has an account already."), field="email")
    before = _snapshot(person)
    person.email = email
    person.name = name or person.name
    person.back_office_role = role
    person.invited_at = now()
    _give_link(person, operation, INVITATION_LIFE)
    transaction = Transaction(operation)
    if new:
        transaction.create(person)
    else:
        transaction.save(person, seen=person.seen)
    _record(transaction, "person.invite", person, before)
    return transaction.commit(person)


@once
def edit(email: str, *, name: str, role: Role, seen: int, operation: Operation) -> Person:
    """Change someone's name or role. A new role ends their sessions: the old one's pages stay open nowhere."""
    person = queries.account(email)
    before, was_admin = _snapshot(person), _is_admin(person)
    if person.back_office_role != role:
        person.session_epoch = person.epoch + 1
    person.name, person.back_office_role = name or None, role
    return _save(person, "person.edit", before, was_admin, seen, operation)


@once
def disable(email: str, *, seen: int, operation: Operation) -> Person:
    """Keep someone out, at once: their sessions end with this write."""
    person = queries.account(email)
    if person.state == DISABLED:
        raise Conflict(person, _("This person is disabled already."))
    before, was_admin = _snapshot(person), _is_admin(person)
    person.disabled_at = now()
    person.session_epoch = person.epoch + 1
    person.link_hash = person.link_expires_at = None
    return _save(person, "person.disable", before, was_admin, seen, operation)


@once
def enable(email: str, *, seen: int, operation: Operation) -> Person:
    """Let someone in again."""
    person = queries.account(email)
    if person.state != DISABLED:
        raise Conflict(person, _("This person is not disabled."))
    before, was_admin = _snapshot(person), _is_admin(person)
    person.disabled_at = None
    return _save(person, "person.enable", before, was_admin, seen, operation)


@once
def give_link(email: str, *, seen: int, operation: Operation) -> Person:
    """A new one-time link: to open an invited account, or to choose a new password."""
    person = queries.account(email)
    if person.state == DISABLED:
        raise Refused(_("Enable this person first: a link would not let them in."))
    before = _snapshot(person)
    invited = person.state == INVITED
    _give_link(person, operation, INVITATION_LIFE if invited else RESET_LIFE)
    action = "person.invite_again" if invited else "person.reset"
    return _save(person, action, before, _is_admin(person), seen, operation)


@once
def withdraw(email: str, *, seen: int, operation: Operation) -> None:
    """Take an invitation back that nobody has used."""
    person = queries.account(email)
    if person.state != INVITED:
        raise Conflict(person, _("This account has been opened: disable it instead."))
    before = _snapshot(person)
    transaction = Transaction(operation)
    if person.made_here:
        transaction.delete(person, seen=seen)
    else:
        person.back_office_role = person.link_hash = person.link_expires_at = person.invited_at = None
        transaction.save(person, seen=seen)
    _record(transaction, "person.withdraw", person, before, gone=True)
    transaction.commit(None)


@once
def end_sessions(email: str, *, seen: int, operation: Operation) -> Person:
    """Sign someone out everywhere."""
    person = queries.account(email)
    before = _snapshot(person)
    person.session_epoch = person.epoch + 1
    return _save(person, "person.end_sessions", before, _is_admin(person), seen, operation)


@once
def open_account(token: str, *, password: str, operation: Operation) -> Person:
    """Use a link: choose a password. The link is spent, and whoever was signed in is out."""
    person = person_of_link(token)
    before, was_admin = _snapshot(person), _is_admin(person)
    action = "person.join" if person.state == INVITED else "person.new_password"
    operation = replace(operation, by=person.actor)  # Whoever holds the link is that person.
    person.password_hash = make_password(password)
    person.session_epoch = person.epoch + 1
    person.link_hash = person.link_expires_at = person.invited_at = None
    return _save(person, action, before, was_admin, person.seen, operation)


def person_of_link(token: str) -> Person:
    """Whom an unused link is for; NotFound when it is used, too old or made up."""
    encoded, _dot, secret = token.partition(".")
    try:
        email = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
    except (binascii.Error, ValueError):
        raise NotFound from None
    person = queries.find_person(email)
    good = person is not None and person.link_hash and person.state not in {None, DISABLED}
    if person is None or not good or not hmac.compare_digest(person.link_hash, _hash(secret)):
        raise NotFound
    if person.link_expires_at is None or person.link_expires_at <= now():
        raise NotFound
    return person


def link_token(person: Person, operation: Operation) -> str | None:
    """The secret part of the link this operation made; none once another link took its place."""
    secret = operation.secret("link")
    if person.link_hash != _hash(secret):
        return None
    return f"{base64.urlsafe_b64encode(person.email.encode()).decode().rstrip('=')}.{secret}"


def _give_link(person: Person, operation: Operation, life: timedelta) -> None:
    person.link_hash = _hash(operation.secret("link"))
    person.link_expires_at = now() + life


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _is_admin(person: Person) -> bool:
    return person.state == Role.ADMIN


def _save(
    person: Person, action: str, before: dict[str, Any], was_admin: bool, seen: int, operation: Operation
) -> Person:
    transaction = Transaction(operation)
    transaction.save(person, seen=seen)
    keep_roster(transaction, person, was_admin=was_admin)
    _record(transaction, action, person, before)
    return transaction.commit(person)


def keep_roster(transaction: Transaction, person: Person, *, was_admin: bool) -> None:
    """Enter or strike an admin in the same transaction; the last one cannot be struck."""
    key = keys.ADMINS.key()
    if _is_admin(person) and not was_admin:
        transaction.update(key, [Admins.emails.add({person.email})], None, Conflict)
    elif was_admin and not _is_admin(person):
        more_than_one = size(Path(["emails"])) > 1  # type: ignore[no-untyped-call]
        others = more_than_one | (Admins.emails.exists() & ~Admins.emails.contains(person.email))
        last = _("This is the last admin who can sign in. Make someone else an admin first.")
        transaction.update(key, [Admins.emails.delete({person.email})], others, lambda _: Refused(last))


def _snapshot(person: Person) -> dict[str, Any]:
    """What the trail says of a person: never a hash."""
    state = person.listed_as if person.state else None
    return {"name": person.name, "role": person.back_office_role, "state": state}


def _record(
    transaction: Transaction, action: str, person: Person, before: dict[str, Any], *, gone: bool = False
) -> None:
    after = None if gone else _snapshot(person)
    record(
        transaction,
        action,
        target=person.email,
        kind="person",
        title=person.title,
        before=before,
        after=after,
    )


@once
def create(
    email: str,
    *,
    name: str,
    role: Role,
    password_hash: str,
    operation: Operation,
    timezone: str | None = None,
) -> Person:
    """An account that is open at once: for commands and demo data, where nobody follows a link."""
    person = queries.find_person(email)
    new = person is None
    if person is None:
        person = Person.at(email=email)
        person.made_here = 1
        person.created_at = now()
    before, was_admin, seen = _snapshot(person), _is_admin(person), person.seen
    person.email, person.name, person.back_office_role = email, name or person.name, role
    person.timezone = person.timezone or timezone
    person.password_hash = password_hash
    person.session_epoch = person.epoch + 1
    person.disabled_at = person.link_hash = person.link_expires_at = person.invited_at = None
    transaction = Transaction(operation)
    if new:
        transaction.create(person)
    else:
        transaction.save(person, seen=seen)
    keep_roster(transaction, person, was_admin=was_admin)
    _record(transaction, "person.create", person, before)
    return transaction.commit(person)
