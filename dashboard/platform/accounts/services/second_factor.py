"""The second factor: turning it on and off, a reset by an admin, and signing in with a code."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.platform.accounts import codes, lockout, queries, recovery_codes
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import SignedIn
from dashboard.platform.accounts.services import passwords
from dashboard.platform.accounts.services.person_writes import audit_values, is_admin, save
from dashboard.platform.accounts.services.sessions import SignInExpired, is_unchanged, new_session
from dashboard.platform.audit.services import record
from dashboard.table import write
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.items import Item
from dashboard.table.read import gather_all
from dashboard.table.transactions import Transaction, idempotent


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
def switch_on(email: str, *, current: str, session_id: str, seed: str, code: str, command: Command) -> Person:
    """Turn it on, with the password and a code that shows that the app has the secret. All sessions end."""
    person = queries.load_account(email)
    if person.has_second_factor:
        raise Conflict(person, _("Your second factor is already on."))
    passwords.confirm(person, current, session_id=session_id)
    accepted = codes.accept(email, seed, code)
    if accepted is None:
        raise WrongCode
    person.totp_seed, person.totp_since, person.totp_step = accepted.seed, now(), accepted.step
    _set_recovery_codes(person, command)
    return _save(person, "person.second_factor_on", person.revision, command)


@idempotent
def switch_off(email: str, *, current: str, session_id: str, command: Command) -> Person:
    """Turn it off, with the password."""
    person = _load_with_second_factor(email)
    passwords.confirm(person, current, session_id=session_id)
    _remove_factor(person)
    return _save(person, "person.second_factor_off", person.revision, command)


@idempotent
def new_recovery_codes(email: str, *, current: str, session_id: str, command: Command) -> Person:
    """Replace the recovery codes, with the password."""
    person = _load_with_second_factor(email)
    passwords.confirm(person, current, session_id=session_id)
    _set_recovery_codes(person, command)
    return _save(person, "person.recovery_codes", person.revision, command)


@idempotent
def reset(email: str, *, revision: int, command: Command) -> Person:
    """An admin removes the second factor of a person, for a lost phone. All sessions end."""
    ensure_not_own(email, command.by)
    person = queries.load_account(email)
    if not person.has_second_factor:
        raise Conflict(person, _("This person has no second factor."))
    _remove_factor(person)
    return _save(person, "person.second_factor_reset", revision, command)


def ensure_not_own(email: str, by: Actor) -> None:
    if by.email == email:
        raise Refused(_("To turn off your own second factor, go to your account."))


def recovery_codes_of(person: Person, command: Command) -> list[str]:
    """The recovery codes that this command created and that still work, computed again."""
    return recovery_codes.still_valid(person.email, person.recovery_hashes or (), command)


def sign_in(pending_sign_in: SignedIn, code: str, *, address: str, agent: str, browser: str = "") -> str:
    """Finish signing in with a code or a recovery code: a new session replaces the pending one. Returns the cookie.

    `browser` is the id of a browser that has signed in to this account before. It has its own count.
    """
    person = pending_sign_in.person
    counters = lockout.code_counters(person.email, person.epoch, browser)
    attempts = lockout.admit(gather_all(counter.begin for counter in counters))
    try:
        cookie = _replace_pending_session(pending_sign_in, code, address, agent)
    except Refused:
        gather_all(lockout.confirming(attempts))
        raise
    gather_all([*lockout.taking_back(attempts), lambda: _renew_recovery_hashes(person, code)])
    return cookie


def _replace_pending_session(pending_sign_in: SignedIn, code: str, address: str, agent: str) -> str:
    person = pending_sign_in.person
    spent, unspent, used = _spend_code(person, code)
    session, cookie = new_session(person, address=address, agent=agent)
    transaction = Transaction(new_command(person.actor))
    transaction.create(session)
    transaction.delete(pending_sign_in.session, revision=0, on_failure=lambda _: UsedCode())
    # The revision does not change. If several requests send the same code, the condition holds for one.
    actions = [*spent, Person.last_sign_in_at.set(now())]
    transaction.update(
        person.key, actions, is_unchanged(person) & unspent, lambda current: _refusal(person, current, used)
    )
    if recovery_codes.is_recovery_code(code):
        record(transaction, "person.recovery_code", target=person.email, kind="person", title=person.title)
    transaction.commit(session)
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
    are_stored = functools.reduce(operator.and_, (Person.recovery_hashes.contains(each) for each in sorted(hashes)))
    write.update(person.key, [Person.recovery_hashes.set(renewed)], are_stored)


def _refusal(person: Person, current: Item | None, used: Callable[[], Refused]) -> Refused:
    """Why a code was refused in the end: the account has changed, or the code was used by another request."""
    is_same = isinstance(current, Person) and current.may_sign_in and current.epoch == person.epoch
    return used() if is_same else SignInExpired()


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
    person.begin_epoch()
    return save(person, action, before, was_admin=is_admin(person), revision=revision, transaction=Transaction(command))
