"""Putting a version in force, an older one again, or none: marker, statuses, timeline and trail move together."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import contrast, queries
from branding.items import Publication, PublishedMarker, ScheduledPublication, Status, Theme
from branding.queries import ThemeState
from branding.services import uses
from branding.services.drafts import record_change
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, at_revision, idempotent, unchanged


class Overtaken(Conflict):
    """Another version is in force than the one the person saw."""

    text = _("Another version was published while you had this open.")


class BelowAA(Refused):
    """Some of it can hardly be read: that is asked once more."""

    def __init__(self, readings: list[contrast.Reading]) -> None:
        self.readings = readings
        super().__init__(_("Some text cannot be read well. Publish it all the same?"))


@idempotent
def publish(
    business: str,
    version: int,
    *,
    expected: int | None,
    revision: int | None = None,
    text: str = "",
    accepted: bool = False,
    schedule: ScheduledPublication | None = None,
    command: Command,
) -> PublishedMarker:
    """Put a version in force, if `expected` still is; rolling back is publishing an older one.

    `revision` is that of the draft that the person looked at; without it, the draft as it is.
    """

    def attempt() -> PublishedMarker:
        at = queries.standing(business, version, expected)
        return _publish(at, expected, revision, text, accepted, schedule, command)

    return retry_on(StaleRevision, attempt)


def _publish(
    at: ThemeState,
    expected: int | None,
    revision: int | None,
    text: str,
    accepted: bool,
    schedule: ScheduledPublication | None,
    command: Command,
) -> PublishedMarker:
    theme, old = at.theme, at.others.get(expected) if expected is not None else None
    if at.in_force != expected:
        raise Overtaken(at.marker)
    if at.marker is not None and at.in_force == theme.number:
        return unchanged(at.marker, {"previous": expected, "version": expected}, command)
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Bring it back first."))
    if theme.is_open and revision is not None and theme.revision != revision:
        raise Conflict(theme)
    low = contrast.failing(theme.look)
    if low and not accepted:
        raise BelowAA(low)

    again = not theme.is_open
    was = {"in_force": f"v{expected}" if expected is not None else "none"}
    transaction = Transaction(command)
    marker = _move_marker(transaction, at, theme)
    _put_in_force(transaction, theme)
    if old is not None:
        _put_aside(transaction, old)
    publication = _publication(theme, expected, text, command)
    publication.below_aa = [reading.pair.id for reading in low] or None
    publication.scheduled = 1 if schedule else None
    transaction.create(publication)
    if schedule is not None:
        transaction.delete(schedule, revision=schedule.revision)
    says = {"in_force": theme.label, "note": text, "below_aa": ", ".join(publication.below_aa or [])}
    after = {name: value for name, value in says.items() if value}
    record_change(transaction, "theme.rollback" if again else "theme.publish", theme, before=was, after=after)
    lost = expected is not None and old is None
    return transaction.commit(marker, {"previous": expected, "version": theme.number, "lost": lost})


@idempotent
def withdraw(business: str, version: int, *, command: Command) -> Theme:
    """Undo a first publication: no version is in force again."""
    at = queries.standing(business, version)
    if at.marker is None or at.in_force != version:
        raise Overtaken(at.marker)
    transaction = Transaction(command)
    transaction.delete(at.marker, revision=at.marker.revision, also=_still(version), otherwise=Overtaken)
    _put_aside(transaction, at.theme)
    publication = _publication(at.theme, version, "", command)
    publication.withdrawn = 1
    transaction.create(publication)
    record_change(
        transaction, "theme.withdraw", at.theme, before={"in_force": at.theme.label}, after={"in_force": "none"}
    )
    at.theme.revision = at.theme.revision + 1
    return transaction.commit(at.theme)


def _move_marker(transaction: Transaction, at: ThemeState, theme: Theme) -> PublishedMarker:
    marker = at.marker or PublishedMarker.at(tenant=theme.business)
    before: Any = marker.version
    marker.type, marker.version, marker.told_of = "PUBLISHED_MARKER", theme.number, theme.number
    marker.published_at = now()
    marker.published_by = transaction.command.by.email
    marker.published_by_name = transaction.command.by.name or None
    marker.title, marker.swatches = theme.name, theme.swatches
    if at.marker is None:
        transaction.create(marker, otherwise=Overtaken)
        return marker

    def refuse(item: Item | None) -> Conflict:
        same = isinstance(item, PublishedMarker) and item.version == before
        return StaleRevision(item) if same else Overtaken(item)

    transaction.save(marker, revision=marker.revision, also=_still(before), otherwise=refuse)
    return marker


def _still(version: Any) -> Condition:
    """Other services move the version and know nothing of our revision."""
    if version is not None:
        return cast(Condition, PublishedMarker.version == version)
    a_number: Condition = PublishedMarker.version.is_type()  # type: ignore[no-untyped-call]
    return cast(Condition, ~a_number)


def _put_in_force(transaction: Transaction, theme: Theme) -> None:
    """A draft that is published stays for good, and so do its files."""
    had, revision = theme.files, theme.revision
    theme.status, theme.first_published_at = Status.PUBLISHED, theme.first_published_at or now()
    theme.time_to_archive = theme.ttl = None
    actions = [Theme.status.set(theme.status), Theme.first_published_at.set(theme.first_published_at)]
    actions += [Theme.stored_revision.set(revision + 1), Theme.time_to_archive.remove(), Theme.ttl.remove()]
    # Not stamped as an edit: who made the look, and when, stays said.
    transaction.update(theme.key, actions, at_revision(revision), StaleRevision)
    uses.follow(transaction, theme, before=had)


def _put_aside(transaction: Transaction, old: Theme) -> None:
    first = old.first_published_at or now()
    actions = [Theme.status.set(Status.SUPERSEDED.value), Theme.first_published_at.set(first)]
    actions += [Theme.stored_revision.set(old.revision + 1), Theme.time_to_archive.remove(), Theme.ttl.remove()]
    transaction.update(old.key, actions, at_revision(old.revision), StaleRevision)


def _publication(theme: Theme, previous: int | None, text: str, command: Command) -> Publication:
    made = Publication.at(tenant=theme.business, at=now(), operation=command.id)
    made.version, made.previous = theme.number, previous
    made.published_at, made.published_by = now(), command.by.email
    made.published_by_name = command.by.name or None
    made.note, made.title, made.swatches = text or None, theme.name, theme.swatches
    return made
