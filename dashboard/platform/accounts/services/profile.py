"""Changes of people to their own account."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from pynamodb.expressions.update import Action

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.fields import PROFILE_FIELDS
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.services import links, passwords, people
from dashboard.platform.audit.services import record
from dashboard.platform.businesses.services import member_copies
from dashboard.table import write
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged


@idempotent
def edit(email: str, *, revision: int, command: Command, **values: str) -> Person:
    """Change the name and preferences of the signed-in person (`PROFILE_FIELDS`)."""
    person = queries.load_account(email)
    before = PROFILE_FIELDS.values_of(person)
    PROFILE_FIELDS.apply(person, values)
    after = PROFILE_FIELDS.values_of(person)
    if after == before:
        return report_unchanged(person, {"before": before}, command)
    transaction = Transaction(command)
    transaction.save(person, revision=revision)
    record(
        transaction,
        "person.profile",
        target=email,
        kind="person",
        title=person.title,
        before=before,
        after=after,
    )
    saved = transaction.commit(person, {"before": before})
    member_copies.update_for_person(saved, before["name"])
    return saved


@idempotent
def change_password(email: str, *, current: str, new: str, session_id: str, command: Command) -> Person:
    """Change the password. All sessions end; the caller opens a new one for this browser."""
    person = queries.load_account(email)
    passwords.confirm(person, current, session_id=session_id)
    person.password_hash = make_password(new)
    person.begin_epoch()
    links.clear_link(person)
    transaction = Transaction(command)
    transaction.save(person, revision=person.revision)
    record(transaction, "person.new_password", target=email, kind="person", title=person.title)
    return transaction.commit(person)


@idempotent
def end_sessions(email: str, *, current: str, session_id: str, command: Command) -> Person:
    """End all own sessions, with the password."""
    person = queries.load_account(email)
    passwords.confirm(person, current, session_id=session_id)
    return people.end_sessions(email, revision=person.revision, command=command)


def prefer(
    person: Person, *, theme: str | None = None, language: str | None = None, clear_images: bool | None = None
) -> None:
    """Set single preferences. The revision does not change, so there is no conflict."""
    actions: list[Action] = []
    if clear_images is not None:
        actions.append(Person.clear_images.set(clear_images))
    if theme:
        actions.append(Person.theme.set(theme))
    if language:
        actions.append(Person.language.set(language))
    if actions:
        write.update(person.key, actions, Person.pk.exists())


def suggest_zone(person: Person, timezone: str) -> None:
    """Store the time zone of the browser, unless the person has one."""
    write.update(person.key, [Person.timezone.set(timezone)], Person.pk.exists() & Person.timezone.does_not_exist())
