"""The second factor: turning it on and off, a reset by an admin, and signing in with a code."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from django.contrib.auth.hashers import check_password
from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import codes, queries, recovery_codes, throttle
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import SignedIn
from dashboard.platform.accounts.services.person_writes import audit_values, is_admin, save
from dashboard.platform.accounts.services.sessions import TRIES_AN_ACCOUNT, WINDOW, new_session
from dashboard.platform.audit.services import record
from dashboard.table import write
from dashboard.table.commands import Command, new_command
from dashboard.table.read import gather
from dashboard.table.transactions import Transaction, idempotent

# Limits for guessing codes with a known password: 10 in 15 minutes, and 50 a day.
TRIES = TRIES_AN_ACCOUNT
TRIES_A_DAY = 50
DAY = 24 * 3600


class WrongCode(Refused):
    def __init__(self) -> None:
        text = _("Wrong code. Enter the current code from the app, and check the clock of your phone.")
        super().__init__(text, field="code")


class UsedCode(Refused):
    def __init__(self) -> None:
        super().__init__(_("This code has already been used. Wait for the next one."), field="code")


class WrongRecoveryCode(Refused):
    def __init__(self) -> None:
        super().__init__(_("This recovery code is wrong or has already been used."), field="code")


@idempotent
def switch_on(email: str, *, seed: str, code: str, command: Command) -> Person:
    """Turn it on, after a code has shown that the app has the secret. All sessions end."""
    person = queries.load_account(email)
    if person.has_second_factor:
        raise Conflict(person, _("Your second factor is already on."))
    accepted = codes.accept(email, seed, code)
    if accepted is None:
        raise WrongCode
    person.totp_seed, person.totp_since, person.totp_step = accepted.seed, now(), accepted.step
    _set_recovery_codes(person, command)
    return _save(person, "person.second_factor_on", person.revision, command)


@idempotent
def switch_off(email: str, *, proof: str, command: Command) -> Person:
    """Turn it off, with the password or a code."""
    person = _load_with_second_factor(email)
    _prove(person, proof)
    _remove_factor(person)
    return _save(person, "person.second_factor_off", person.revision, command)


@idempotent
def new_recovery_codes(email: str, *, proof: str, command: Command) -> Person:
    """Replace the recovery codes, with the password or a code."""
    person = _load_with_second_factor(email)
    _prove(person, proof)
    _set_recovery_codes(person, command)
    return _save(person, "person.recovery_codes", person.revision, command)


@idempotent
def reset(email: str, *, revision: int, command: Command) -> Person:
    """An admin removes the second factor of a person, for a lost phone. All sessions end."""
    person = queries.load_account(email)
    if command.by.email == email:
        raise Refused(_("To turn off your own second factor, go to your account."))
    if not person.has_second_factor:
        raise Conflict(person, _("This person has no second factor."))
    _remove_factor(person)
    return _save(person, "person.second_factor_reset", revision, command)


def recovery_codes_of(person: Person, command: Command) -> list[str]:
    """The recovery codes that this command created and that still work, computed again."""
    return recovery_codes.still_valid(person.email, person.recovery_hashes or (), command)


def sign_in(pending_sign_in: SignedIn, code: str, *, address: str, agent: str) -> str:
    """Finish signing in with a code or a recovery code: a new session replaces the pending one. Returns the cookie."""
    person = pending_sign_in.person
    # With the epoch, so that a new password starts a new count.
    name = f"second factor {person.email} {person.epoch}"
    gather(
        lambda: throttle.check(name, limit=TRIES, seconds=WINDOW),
        lambda: throttle.check(name, limit=TRIES_A_DAY, seconds=DAY),
    )
    spent, unspent, used = _spend_code(person, code)
    session, cookie = new_session(person, address=address, agent=agent)
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    transaction.delete(pending_sign_in.session, revision=0, on_failure=lambda _: UsedCode())
    # The revision does not change. If several requests send the same code, the condition holds for one.
    transaction.update(person.key, [*spent, Person.last_sign_in_at.set(now())], unspent, lambda _: used())
    if recovery_codes.is_recovery_code(code):
        record(transaction, "person.recovery_code", target=person.email, kind="person", title=person.title)
    transaction.commit(session)
    gather(lambda: throttle.reset(name, seconds=WINDOW), lambda: _renew_recovery_hashes(person, code))
    return cookie


def _spend_code(person: Person, code: str) -> tuple[list[Action], Condition, Callable[[], Refused]]:
    """The actions that mark a code as used, their condition, and the error if it does not hold."""
    if recovery_codes.is_recovery_code(code):
        found = recovery_codes.find_hash(person.email, person.recovery_hashes or (), code)
        if found is None:
            raise WrongRecoveryCode
        # Another request may have encrypted it again in the meantime.
        renewed = recovery_codes.encrypt_again(person.email, found)
        is_unused = Person.recovery_hashes.contains(found) | Person.recovery_hashes.contains(renewed)
        return [Person.recovery_hashes.delete({found, renewed})], _has_seed(person) & is_unused, WrongRecoveryCode
    accepted = codes.accept(person.email, person.totp_seed or "", code) if codes.is_code(code) else None
    if accepted is None:
        raise WrongCode
    is_newer = Person.totp_step.does_not_exist() | (Person.totp_step < accepted.step)
    actions: list[Action] = [Person.totp_step.set(accepted.step)]
    if accepted.seed != person.totp_seed:
        actions.append(Person.totp_seed.set(accepted.seed))
    return actions, _has_seed(person, accepted.seed) & is_newer, UsedCode


def _has_seed(person: Person, renewed: str | None = None) -> Condition:
    """The second factor is the one that was read, possibly encrypted again by another request."""
    renewed = renewed or codes.encrypt_again(person.email, person.totp_seed or "")
    is_same = Person.totp_seed == person.totp_seed
    return is_same if renewed == person.totp_seed else is_same | (Person.totp_seed == renewed)


def _renew_recovery_hashes(person: Person, used: str) -> None:
    """Encrypt the unused recovery codes with the current pepper, if none was used or replaced in the meantime."""
    hashes = set(person.recovery_hashes or ())
    if recovery_codes.is_recovery_code(used):
        hashes = {each for each in hashes if not recovery_codes.has_number_of(each, used)}
    renewed = {recovery_codes.encrypt_again(person.email, each) for each in hashes}
    if renewed == hashes:
        return
    is_unchanged = functools.reduce(operator.and_, (Person.recovery_hashes.contains(each) for each in sorted(hashes)))
    write.update(person.key, [Person.recovery_hashes.set(renewed)], is_unchanged)


def _prove(person: Person, proof: str) -> None:
    """Check the password or a code before a change of the second factor."""
    throttle.check(f"password {person.email}", limit=TRIES_AN_ACCOUNT, seconds=WINDOW)
    code = codes.strip_separators(proof)
    if not codes.is_code(code):
        if not check_password(proof, person.password_hash):
            raise Refused(_("This is neither your password nor a current code from the app."), field="proof")
        return
    try:
        spent, unspent, _used = _spend_code(person, code)
    except WrongCode as wrong:
        raise Refused(wrong.text, field="proof") from None
    if write.update(person.key, spent, unspent) is None:
        raise Refused(UsedCode().text, field="proof")


def _load_with_second_factor(email: str) -> Person:
    person = queries.load_account(email)
    if not person.has_second_factor:
        raise Conflict(person, _("Your second factor is off."))
    return person


def _set_recovery_codes(person: Person, command: Command) -> None:
    person.recovery_hashes = recovery_codes.hashes_of(person.email, command)


def _remove_factor(person: Person) -> None:
    person.totp_seed = person.totp_since = person.totp_step = person.recovery_hashes = None


def _save(person: Person, action: str, revision: int, command: Command) -> Person:
    """Save a change of the second factor and end all sessions."""
    before: dict[str, Any] = audit_values(person)
    person.session_epoch = person.epoch + 1
    return save(person, action, before, was_admin=is_admin(person), revision=revision, command=command)
