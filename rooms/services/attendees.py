"""Marking rooms as completed for an attendee, and recording exports."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Refused, StaleRevision
from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.services import record
from dashboard.table import keys
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from rooms.items import Room
from rooms.progress import WireValue, completed_names, to_entries, with_room, without_room
from rooms.queries import attendees as queries

# The target and the kind of audit entries about the whole list.
EVENT_PEOPLE = "event_people"
PROGRESS = str(Person.progress.attr_name)
NO_ROOM = _("This room does not exist. Nothing was changed.")
UNREADABLE = _("An outside service stores this progress in an unknown format. Nothing was changed.")


def progress_target(email: str) -> str:
    """The target of an attendee's progress in the audit trail; it is separate from edits of the person."""
    return f"progress:{email}"


def mark(email: str, room: str, *, completed: bool, command: Command) -> Person:
    """Mark a room as completed or not completed. What outside writers add meanwhile stays.

    It does not change the revision, so that open forms of the account stay valid. Whether the room was changed
    again since is therefore read from the list itself.
    """
    person = _mark_once(email, room, completed=completed, command=command)
    has_changed_since = (room in completed_names(person.raw_progress)) != completed
    person.outcome = replace(person.outcome, has_changed_since=has_changed_since)
    return person


@idempotent
def _mark_once(email: str, room: str, *, completed: bool, command: Command) -> Person:
    return retry_on(StaleRevision, lambda: _try_mark(email, room, completed, command), tries=24)


def _try_mark(email: str, room_id: str, completed: bool, command: Command) -> Person:
    person, room = queries.load_attendee_and_room(email, room_id)
    result = {"room": room_id, "title": room.title if room else room_id, "known": room is not None}
    entries = to_entries(person.raw_progress)
    if entries is None:
        raise Refused(UNREADABLE)
    after = with_room(entries, room_id) if completed else without_room(entries, room_id)
    if after == entries:
        return report_unchanged(person, result, command)
    if completed and room is None:
        raise Refused(NO_ROOM)
    before = completed_names(person.raw_progress)
    transaction = Transaction(command)
    _write_progress(transaction, person, after)
    if completed:
        transaction.check(keys.ROOM.key(room=room_id), cast(Condition, Room.pk.exists()), lambda _: Refused(NO_ROOM))
    record(
        transaction,
        "progress.complete" if completed else "progress.reopen",
        target=progress_target(person.email),
        kind="progress",
        title=person.title,
        before={"progress": before},
        after={"room": result["title"], "progress": completed_names(person.raw_progress)},
    )
    return transaction.commit(person, result)


def _write_progress(transaction: Transaction, person: Person, entries: list[WireValue]) -> None:
    """Write the list and the time, on the condition that the list is as it was read."""
    unchanged_condition, new_value = person.unchanged(PROGRESS), {"L": entries}
    person.raw = {**person.raw, PROGRESS: new_value}
    person.progress, person.updated_at = from_attribute(new_value), now()
    actions = [Path([PROGRESS]).set(new_value), Person.updated_at.set(person.updated_at)]
    transaction.update(person.key, actions, Person.pk.exists() & unchanged_condition, _progress_changed)


def _progress_changed(_item: object) -> StaleRevision:
    return StaleRevision(text=_("Someone else is changing this progress right now. Nothing was changed. Try again."))


@idempotent
def record_export(country: str, *, command: Command) -> None:
    """Record who exported the attendees, and of which country."""
    transaction = Transaction(command)
    after = {"country": country} if country else None
    record(transaction, "event_people.export", target=EVENT_PEOPLE, kind=EVENT_PEOPLE, title=EVENT_PEOPLE, after=after)
    transaction.commit(None)
