"""The second factor: switched on and off, reset by an admin, and asked for at sign-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.hashers import check_password
from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import codes, queries, throttle
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import Signed
from dashboard.platform.accounts.services.person_writes import is_admin, save, snapshot
from dashboard.platform.accounts.services.sessions import TRIES_AN_ACCOUNT, WINDOW, new_session
from dashboard.platform.audit.services import record
from dashboard.table import write
from dashboard.table.commands import Command, new_command
from dashboard.table.read import gather
from dashboard.table.transactions import Transaction, idempotent

# Whoever has the password and guesses codes: 10 in a quarter of an hour, and no more than 50 a day.
TRIES = TRIES_AN_ACCOUNT
TRIES_A_DAY = 50
DAY = 24 * 3600


class WrongCode(Refused):
    def __init__(self) -> None:
        text = _("This code is not right. Type the one that the app shows now; the phone's clock must be right too.")
        super().__init__(text, field="code")


class UsedCode(Refused):
    def __init__(self) -> None:
        super().__init__(_("This code has been used. Wait for the app to show the next one."), field="code")


class WrongRecoveryCode(Refused):
    def __init__(self) -> None:
        super().__init__(_("This recovery code is not one of yours, or it has been used."), field="code")


@idempotent
def switch_on(email: str, *, seed: str, code: str, command: Command) -> Person:
    """Switch it on, once the app has shown that it holds the secret. Whoever is signed in elsewhere is out."""
    person = queries.load_account(email)
    if person.has_second_factor:
        raise Conflict(person, _("Your second factor is on already."))
    step = codes.matching_step(email, seed, code)
    if step is None:
        raise WrongCode
    person.totp_seed, person.totp_since, person.totp_step = seed, now(), step
    _give_recovery_codes(person, command)
    return _save(person, "person.second_factor_on", person.revision, command)


@idempotent
def switch_off(email: str, *, proof: str, command: Command) -> Person:
    """Switch it off, with the password or a code."""
    person = _with_second_factor(email)
    _prove(person, proof)
    _take_away(person)
    return _save(person, "person.second_factor_off", person.revision, command)


@idempotent
def new_recovery_codes(email: str, *, proof: str, command: Command) -> Person:
    """Other recovery codes, with the password or a code; the ones before stop working."""
    person = _with_second_factor(email)
    _prove(person, proof)
    _give_recovery_codes(person, command)
    return _save(person, "person.recovery_codes", person.revision, command)


@idempotent
def reset(email: str, *, revision: int, command: Command) -> Person:
    """For a lost phone: an admin takes it away, and the person is signed out everywhere."""
    person = queries.load_account(email)
    if command.by.email == email:
        raise Refused(_("This is your own: switch it off under your account, with your password or a code."))
    if not person.has_second_factor:
        raise Conflict(person, _("This person has no second factor."))
    _take_away(person)
    return _save(person, "person.second_factor_reset", revision, command)


def recovery_codes_of(person: Person, command: Command) -> list[str]:
    """The codes this command made, as long as they work. They are made anew, not stored."""
    known = person.recovery_hashes or ()
    return [code for code in codes.recovery_codes(command) if codes.recovery_hash(person.email, code) in known]


def sign_in(halfway: Signed, code: str, *, address: str, agent: str) -> str:
    """A right code, or a recovery code, turns half a session into a whole one with another key: the cookie."""
    person = halfway.person
    # By epoch: a new password leaves whoever guessed with the old one, and their count, behind.
    name = f"second factor {person.email} {person.epoch}"
    gather(
        lambda: throttle.count(name, limit=TRIES, seconds=WINDOW),
        lambda: throttle.count(name, limit=TRIES_A_DAY, seconds=DAY),
    )
    spent, unspent, used = _spending(person, code)
    session, cookie = new_session(person, address=address, agent=agent)
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    transaction.delete(halfway.session, revision=0, otherwise=lambda _: UsedCode())
    # No edit by anyone, so no new revision; of several who send the same code at once, one meets the condition.
    transaction.update(person.key, [*spent, Person.last_sign_in_at.set(now())], unspent, lambda _: used())
    if codes.is_recovery_code(code):
        record(transaction, "person.recovery_code", target=person.email, kind="person", title=person.title)
    transaction.commit(session)
    throttle.forget(name, seconds=WINDOW)
    return cookie


def _spending(person: Person, code: str) -> tuple[list[Action], Condition, Callable[[], Refused]]:
    """What marks a code as used, on which condition, and the refusal where that does not hold."""
    same = Person.totp_seed == person.totp_seed
    if codes.is_recovery_code(code):
        digest = codes.recovery_hash(person.email, code)
        if digest not in (person.recovery_hashes or ()):
            raise WrongRecoveryCode
        there = same & Person.recovery_hashes.contains(digest)
        return [Person.recovery_hashes.delete({digest})], there, WrongRecoveryCode
    step = codes.matching_step(person.email, person.totp_seed or "", code) if codes.is_code(code) else None
    if step is None:
        raise WrongCode
    newer = Person.totp_step.does_not_exist() | (Person.totp_step < step)
    return [Person.totp_step.set(step)], same & newer, UsedCode


def _prove(person: Person, proof: str) -> None:
    """The password or a code, before something about the second factor changes."""
    throttle.count(f"password {person.email}", limit=TRIES_AN_ACCOUNT, seconds=WINDOW)
    code = codes.typed(proof)
    if not codes.is_code(code):
        if not check_password(proof, person.password_hash):
            raise Refused(_("This is neither your password nor a code that the app shows now."), field="proof")
        return
    try:
        spent, unspent, _used = _spending(person, code)
    except WrongCode as wrong:
        raise Refused(wrong.text, field="proof") from None
    if write.touch(person.key, spent, unspent) is None:
        raise Refused(UsedCode().text, field="proof")


def _with_second_factor(email: str) -> Person:
    person = queries.load_account(email)
    if not person.has_second_factor:
        raise Conflict(person, _("Your second factor is off."))
    return person


def _give_recovery_codes(person: Person, command: Command) -> None:
    person.recovery_hashes = {codes.recovery_hash(person.email, code) for code in codes.recovery_codes(command)}


def _take_away(person: Person) -> None:
    person.totp_seed = person.totp_since = person.totp_step = person.recovery_hashes = None


def _save(person: Person, action: str, revision: int, command: Command) -> Person:
    """Every change of it ends the person's sessions; where they made it themselves, their browser gets a new one."""
    before: dict[str, Any] = snapshot(person)
    person.session_epoch = person.epoch + 1
    return save(person, action, before, was_admin=is_admin(person), revision=revision, command=command)
