"""Signing in and out."""

from __future__ import annotations

import secrets
from concurrent.futures import Future
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts import queries, throttle, tokens
from dashboard.platform.accounts.items import Person, Session
from dashboard.platform.accounts.queries import Signed
from dashboard.platform.accounts.requests import network
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey
from dashboard.table.read import gather, in_background
from dashboard.table.transactions import Transaction

IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(days=14)
# How long the page that asks for the code waits for it.
HALFWAY = timedelta(minutes=10)
# A session's last use is noted this often, not on every request.
NOTED_EVERY = timedelta(minutes=5)

TRIES_AN_ACCOUNT = 10
TRIES_AN_ADDRESS = 50
WINDOW = 15 * 60

# Verified against when there is no account, so that the answer takes as long.
_NOBODY = make_password("nobody has this password")


class WrongPassword(Refused):
    """The same words whether the account exists or not."""

    def __init__(self) -> None:
        super().__init__(_("This e-mail and password do not match an account."))


def sign_in(email: str, password: str, *, address: str, agent: str) -> tuple[Person, str]:
    """Check a password and let the person in, or halfway; answers with the person and the cookie."""
    found = gather(
        lambda: throttle.count(f"sign-in {email}", limit=TRIES_AN_ACCOUNT, seconds=WINDOW),
        lambda: throttle.count(f"sign-in from {network(address)}", limit=TRIES_AN_ADDRESS, seconds=WINDOW),
        lambda: queries.find_person(email),
    )
    person: Person | None = found[2]
    known = person is not None and person.may_sign_in
    right = check_password(password, person.password_hash if person and known else _NOBODY)
    if person is None or not known or not right:
        raise WrongPassword
    opened = gather(
        lambda: admit(person, address=address, agent=agent),
        lambda: throttle.forget(f"sign-in {email}", seconds=WINDOW),
    )
    return person, opened[0]


def admit(person: Person, *, address: str, agent: str) -> str:
    """The password was right: a session, or half of one where the code is still to come."""
    if not person.has_second_factor:
        return open_session(person, address=address, agent=agent)
    session, cookie = new_session(person, address=address, agent=agent)
    session.stage = Session.CODE
    session.ends_at = now() + HALFWAY
    session.ttl = int(session.ends_at.timestamp())
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    transaction.commit(session)
    return cookie


def open_session(person: Person, *, address: str, agent: str) -> str:
    """A session for someone who has shown all that is asked of them."""
    session, cookie = new_session(person, address=address, agent=agent)
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    # No edit by anyone, so no new revision: a colleague who has this person open keeps their form.
    noted = [Person.last_sign_in_at.set(now())]
    transaction.update(person.key, noted, Item.pk.exists(), lambda _: WrongPassword())
    transaction.commit(session)
    return cookie


def new_session(person: Person, *, address: str, agent: str) -> tuple[Session, str]:
    """A new key, and the session to be written for it: whatever key the browser had is worth nothing."""
    key = secrets.token_urlsafe(32)
    session = Session.at(email=person.email, hash=tokens.hashed(key))
    session.session_epoch = person.epoch
    session.last_seen_at = now()
    session.ends_at = now() + ABSOLUTE
    session.ttl = int((now() + IDLE).timestamp())
    session.agent, session.address = agent[:300] or None, address[:64] or None
    return session, tokens.pack(person.email, key)


def find(cookie: str, business: str = "") -> Signed | None:
    """Whom a cookie stands for and the business they are at, in one trip, if it is still good, be it only halfway."""
    found = tokens.unpack(cookie)
    if found is None:
        return None
    email, key = found
    try:
        signed = queries.signed_in(email, tokens.hashed(key), business)
    except BadKey:
        return None
    if signed is None:
        return None
    good = signed.session.is_good_for(signed.person) or signed.session.is_halfway_for(signed.person)
    return signed if good else None


def note_use(session: Session) -> Future[Any] | None:
    """Note now and then that a session is in use, beside whatever the page reads: nobody waits for it."""
    if now() - session.last_seen_at < NOTED_EVERY:
        return None
    ttl = int(min(now() + IDLE, session.ends_at).timestamp())
    noted = [Session.last_seen_at.set(now()), Session.ttl.set(ttl)]
    # Only while it exists: a session that was signed out must not come back to life.
    return in_background(lambda: write.touch(session.key, noted, Item.pk.exists()))


def sign_out(session: Session) -> None:
    write.remove(session.key)


def end(person: Person, session_id: str) -> None:
    """Sign one of a person's browsers out; what cannot be a session is none."""
    with suppress(BadKey):
        write.remove(keys.SESSION.key(email=person.email, hash=session_id))
