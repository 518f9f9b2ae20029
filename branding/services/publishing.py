"""Publish a version, or withdraw it. Marker, statuses, timeline and audit entry change in one transaction."""

from __future__ import annotations

from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import contrast, queries
from branding.items import Publication, PublishedMarker, ScheduledPublication, Status, Theme
from branding.queries import ThemeState
from branding.services import asset_usage
from branding.services.drafts import record_change
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, at_revision, idempotent, report_unchanged


class LiveVersionChanged(Conflict):
    """The live version is not the one that the person saw."""

    text = _("Another version was published while you had this open.")


class LowContrast(Refused):
    """Some text has too little contrast: the person has to confirm."""

    def __init__(self, failing: list[contrast.PairContrast]) -> None:
        self.failing = failing
        super().__init__(_("Some text has too little contrast. Publish anyway?"))


@idempotent
def publish(
    business: str,
    version: int,
    *,
    expected: int | None,
    revision: int | None = None,
    note: str = "",
    accept_low_contrast: bool = False,
    schedule: ScheduledPublication | None = None,
    command: Command,
) -> PublishedMarker:
    """Make a version live, on the condition that `expected` is live. Rolling back is publishing an older version.

    `revision` is the one of the draft that the person saw; without it, the current draft is published.
    """

    def attempt() -> PublishedMarker:
        state = queries.load_theme_state(business, version, expected)
        return _publish(state, expected, revision, note, accept_low_contrast, schedule, command)

    return retry_on(StaleRevision, attempt)


def _publish(
    state: ThemeState,
    expected: int | None,
    revision: int | None,
    note: str,
    accept_low_contrast: bool,
    schedule: ScheduledPublication | None,
    command: Command,
) -> PublishedMarker:
    theme, previous = state.theme, state.other_themes.get(expected) if expected is not None else None
    if state.live_version != expected:
        raise LiveVersionChanged(state.marker)
    if state.marker is not None and state.live_version == theme.number:
        return report_unchanged(state.marker, {"previous": expected, "version": expected}, command)
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Restore it first."))
    if theme.is_editable and revision is not None and theme.revision != revision:
        raise Conflict(theme)
    failing = contrast.failing_pairs(theme.style)
    if failing and not accept_low_contrast:
        raise LowContrast(failing)

    is_rollback = not theme.is_editable
    before = {"in_force": f"v{expected}" if expected is not None else "none"}
    transaction = Transaction(command)
    marker = _move_marker(transaction, state, theme)
    _mark_live(transaction, theme)
    if previous is not None:
        _mark_superseded(transaction, previous)
    publication = _new_publication(theme, expected, note, command)
    publication.below_aa = [each.pair.id for each in failing] or None
    publication.scheduled = 1 if schedule else None
    transaction.create(publication)
    if schedule is not None:
        transaction.delete(schedule, revision=schedule.revision)
    values = {"in_force": theme.label, "note": note, "below_aa": ", ".join(publication.below_aa or [])}
    after = {name: value for name, value in values.items() if value}
    action = "theme.rollback" if is_rollback else "theme.publish"
    record_change(transaction, action, theme, before=before, after=after)
    # There is no Undo if the previous version does not exist.
    previous_is_missing = expected is not None and previous is None
    return transaction.commit(marker, {"previous": expected, "version": theme.number, "lost": previous_is_missing})


@idempotent
def withdraw(business: str, version: int, *, command: Command) -> Theme:
    """Undo the first publication: no version is live."""
    state = queries.load_theme_state(business, version)
    theme, marker = state.theme, state.marker
    if marker is None or state.live_version != version:
        raise LiveVersionChanged(marker)
    transaction = Transaction(command)
    transaction.delete(marker, revision=marker.revision, condition=_version_is(version), on_failure=LiveVersionChanged)
    _mark_superseded(transaction, theme)
    publication = _new_publication(theme, version, "", command)
    publication.withdrawn = 1
    transaction.create(publication)
    record_change(transaction, "theme.withdraw", theme, before={"in_force": theme.label}, after={"in_force": "none"})
    theme.revision = theme.revision + 1
    return transaction.commit(theme)


def _move_marker(transaction: Transaction, state: ThemeState, theme: Theme) -> PublishedMarker:
    marker = state.marker or PublishedMarker.at(tenant=theme.business)
    previous: Any = marker.version
    marker.type, marker.version, marker.described_version = "PUBLISHED_MARKER", theme.number, theme.number
    marker.published_at = now()
    marker.published_by = transaction.command.by.email
    marker.published_by_name = transaction.command.by.name or None
    marker.title, marker.swatches = theme.name, theme.swatches
    if state.marker is None:
        transaction.create(marker, on_failure=LiveVersionChanged)
        return marker

    def refuse(item: Item | None) -> Conflict:
        is_same = isinstance(item, PublishedMarker) and item.version == previous
        return StaleRevision(item) if is_same else LiveVersionChanged(item)

    transaction.save(marker, revision=marker.revision, condition=_version_is(previous), on_failure=refuse)
    return marker


def _version_is(version: Any) -> Condition:
    """Outside writers change the version without our revision, so the condition has both."""
    if version is not None:
        return cast(Condition, PublishedMarker.version == version)
    is_number: Condition = PublishedMarker.version.is_type()  # type: ignore[no-untyped-call]
    return cast(Condition, ~is_number)


def _mark_live(transaction: Transaction, theme: Theme) -> None:
    """A published version does not expire, and its files cannot be deleted."""
    assets, revision = theme.asset_ids, theme.revision
    theme.status, theme.first_published_at = Status.PUBLISHED, theme.first_published_at or now()
    theme.time_to_archive = theme.ttl = None
    actions = [Theme.status.set(theme.status), Theme.first_published_at.set(theme.first_published_at)]
    actions += [Theme.stored_revision.set(revision + 1), Theme.time_to_archive.remove(), Theme.ttl.remove()]
    # Not stamped as an edit: `updatedBy` still names the person who designed it.
    transaction.update(theme.key, actions, at_revision(revision), StaleRevision)
    asset_usage.record_usage(transaction, theme, before=assets)


def _mark_superseded(transaction: Transaction, theme: Theme) -> None:
    first_published_at = theme.first_published_at or now()
    actions = [Theme.status.set(Status.SUPERSEDED.value), Theme.first_published_at.set(first_published_at)]
    actions += [Theme.stored_revision.set(theme.revision + 1), Theme.time_to_archive.remove(), Theme.ttl.remove()]
    transaction.update(theme.key, actions, at_revision(theme.revision), StaleRevision)


def _new_publication(theme: Theme, previous: int | None, note: str, command: Command) -> Publication:
    publication = Publication.at(tenant=theme.business, at=now(), operation=command.id)
    publication.version, publication.previous = theme.number, previous
    publication.published_at, publication.published_by = now(), command.by.email
    publication.published_by_name = command.by.name or None
    publication.note, publication.title, publication.swatches = note or None, theme.name, theme.swatches
    return publication
