"""Sessions: signing in and out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from datetime import timedelta
from typing import Any, cast

from django.contrib.auth.hashers import check_password, make_password
from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts import lockout, queries, tokens
from dashboard.platform.accounts.items import Person, Session
from dashboard.platform.accounts.queries import SignedIn
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey
from dashboard.table.read import gather, gather_all, in_background
from dashboard.table.transactions import Transaction

IDLE = timedelta(hours=12)
ABSOLUTE = timedelta(days=14)
# The time to enter the code after the password.
CODE_TIMEOUT = timedelta(minutes=10)
# The last use of a session is recorded at this interval, not on every request.
USE_RECORDED_EVERY = timedelta(minutes=5)

# Checked if there is no account, so that the answer takes the same time.
_UNKNOWN_HASH = make_password("nobody has this password")


class WrongPassword(Refused):
    """The same text whether the account exists or not."""

    def __init__(self) -> None:
        super().__init__(_("Wrong e-mail or password."))


class SignInExpired(Refused):
    """The account has changed since the password or the code was checked, for example it was disabled."""

    def __init__(self) -> None:
        super().__init__(_("Your sign-in has expired. Sign in again."))


def is_unchanged(person: Person) -> Condition:
    """The condition of every new session: the person can still sign in, as they were read.

    It is part of the transaction that creates the session. Whoever disables the person at the same moment therefore
    either prevents the session or ends it.
    """
    if not person.may_sign_in:
        raise SignInExpired
    epoch, disabled_at = Person.session_epoch, Person.disabled_at
    # A missing or non-numeric epoch counts as 0.
    is_zero = epoch.does_not_exist() | ~epoch.is_type() | (epoch == 0)  # type: ignore[no-untyped-call]
    has_epoch = epoch == person.epoch if person.epoch else is_zero
    is_enabled = disabled_at.does_not_exist() | ~disabled_at.is_type()  # type: ignore[no-untyped-call]
    has_role = Person.back_office_role == person.back_office_role
    has_password = Person.password_hash == person.password_hash
    return cast(Condition, has_epoch & is_enabled & has_role & has_password)


def sign_in(email: str, password: str, *, address: str, agent: str, browser: str = "") -> tuple[Person, str]:
    """Check a password and create a session; returns the person and the cookie.

    `browser` is the id of a browser that has signed in to this account before.
    """
    own, *others = lockout.sign_in_counters(email, address, browser)
    person, own_try = gather(lambda: queries.find_person(email), own.begin)
    attempts = lockout.admit_sign_in(own_try, others)
    is_known = person is not None and person.may_sign_in
    is_right = check_password(password, person.password_hash if person and is_known else _UNKNOWN_HASH)
    if person is None or not is_known or not is_right:
        gather_all(lockout.confirming(attempts))
        raise WrongPassword
    calls: list[Callable[[], Any]] = [lambda: admit(person, address=address, agent=agent)]
    cookie, *_none = gather_all([*calls, *lockout.taking_back(attempts)])
    return person, cookie


def admit(person: Person, *, address: str, agent: str) -> str:
    """Create a session after a correct password: a pending one if the code is still missing."""
    if not person.has_second_factor:
        return open_session(person, address=address, agent=agent)
    session, cookie = new_session(person, address=address, agent=agent)
    session.stage = Session.CODE
    session.ends_at = now() + CODE_TIMEOUT
    session.ttl = int(session.ends_at.timestamp())
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    transaction.check(person.key, is_unchanged(person), lambda _: SignInExpired())
    transaction.commit(session)
    return cookie


def open_session(person: Person, *, address: str, agent: str) -> str:
    """Create a session for a fully authenticated person."""
    session, cookie = new_session(person, address=address, agent=agent)
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    # The revision does not change, so that open forms of this person get no conflict.
    actions = [Person.last_sign_in_at.set(now())]
    transaction.update(person.key, actions, is_unchanged(person), lambda _: SignInExpired())
    transaction.commit(session)
    return cookie


def new_session(person: Person, *, address: str, agent: str) -> tuple[Session, str]:
    """A session with a new key, not yet written, and its cookie."""
    key = secrets.token_urlsafe(32)
    session = Session.new(email=person.email, hash=tokens.hashed(key))
    session.session_epoch = person.epoch
    session.last_seen_at = now()
    session.ends_at = now() + ABSOLUTE
    session.ttl = int((now() + IDLE).timestamp())
    session.agent, session.address = agent[:300] or None, address[:64] or None
    return session, tokens.pack(person.email, key)


def find(cookie: str, business: str = "") -> SignedIn | None:
    """The session of a cookie with its person and the business, if it is valid or waits for the code."""
    unpacked = tokens.unpack(cookie)
    if unpacked is None:
        return None
    email, key = unpacked
    try:
        signed = queries.find_signed_in(email, tokens.hashed(key), business)
    except BadKey:
        return None
    if signed is None:
        return None
    is_valid = signed.session.is_good_for(signed.person) or signed.session.is_awaiting_code_of(signed.person)
    return signed if is_valid else None


def record_use(session: Session) -> Future[Any] | None:
    """Record from time to time that a session is in use, in the background."""
    if now() - session.last_seen_at < USE_RECORDED_EVERY:
        return None
    ttl = int(min(now() + IDLE, session.ends_at).timestamp())
    actions = [Session.last_seen_at.set(now()), Session.ttl.set(ttl)]
    # The condition keeps a session that was signed out from coming back.
    return in_background(lambda: write.update(session.key, actions, Item.pk.exists()))


def sign_out(session: Session) -> None:
    write.remove(session.key)


def end(person: Person, session_id: str) -> None:
    """End one session of a person. An id that no key can contain has no effect."""
    with suppress(BadKey):
        write.remove(keys.SESSION.key(email=person.email, hash=session_id))
