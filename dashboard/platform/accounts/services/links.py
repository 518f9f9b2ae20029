"""One-time links: to open an invited account, or to choose a new password."""

from __future__ import annotations

import hmac
from dataclasses import replace
from datetime import timedelta

from django.contrib.auth.hashers import make_password
from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import queries, tokens
from dashboard.platform.accounts.items import DISABLED, INVITED, Person
from dashboard.platform.accounts.services.person_writes import audit_values, is_admin, save
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

INVITATION_LIFE = timedelta(days=7)
RESET_LIFE = timedelta(hours=24)


@idempotent
def create_link(email: str, *, revision: int, command: Command) -> Person:
    """Create a link, by an admin. The previous one stops working."""
    person = queries.load_account(email)
    if person.state == DISABLED:
        raise Refused(_("Enable this person first."))
    before, was_admin = audit_values(person), is_admin(person)
    set_link(person, command)
    if person.state == INVITED:
        # From now on the admin vouches for the address, not the owner who invited it.
        person.invited_by_business = None
    action = "person.invite_again" if person.state == INVITED else "person.reset"
    return save(person, action, before, was_admin=was_admin, revision=revision, transaction=Transaction(command))


@idempotent
def open_account(token: str, *, password: str, command: Command) -> Person:
    """Use a link to set a password. The link stops working and all sessions end."""
    person = load_person_by_token(token)
    before, was_admin = audit_values(person), is_admin(person)
    action = "person.join" if person.state == INVITED else "person.new_password"
    if person.state != INVITED:
        # Only admins make links for open accounts. Whoever chose the first password, it ends here.
        person.invited_by_business = None
    person.password_hash = make_password(password)
    person.begin_epoch()
    person.invited_at = None
    clear_link(person)
    own = replace(command, by=person.actor)  # The holder of the link acts as that person.
    return save(person, action, before, was_admin=was_admin, revision=person.revision, transaction=Transaction(own))


def load_person_by_token(token: str) -> Person:
    """The person of a link; raises NotFound if it is used, expired or invalid."""
    email, secret = tokens.unpack(token) or ("", "")
    person = queries.find_person(email) if email else None
    if person is None or not person.link_hash or person.state in {None, DISABLED}:
        raise NotFound
    if not hmac.compare_digest(person.link_hash, tokens.hashed(secret)):
        raise NotFound
    if person.link_expires_at is None or person.link_expires_at <= now():
        raise NotFound
    return person


def token_of(person: Person, command: Command) -> str | None:
    """The token of the link that this command created, computed again; None if a newer link replaced it."""
    secret = command.secret("link")
    return tokens.pack(person.email, secret) if person.link_hash == tokens.hashed(secret) else None


def set_link(person: Person, command: Command) -> None:
    life = RESET_LIFE if person.password_hash else INVITATION_LIFE
    person.link_hash = tokens.hashed(command.secret("link"))
    person.link_expires_at = now() + life


def clear_link(person: Person) -> None:
    person.link_hash = person.link_expires_at = None
