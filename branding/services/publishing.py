"""Publish a version, or withdraw it. Live marker, statuses, timeline and audit entry change in one transaction."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from branding import contrast, queries
from branding.items import Publication, PublishedMarker, ScheduledPublication, Theme, ThemeStatus
from branding.queries import ThemeState
from branding.services import asset_usage, schedule_changes
from branding.services.drafts import record_change, unchanged_by_others
from branding.services.schedule_changes import ScheduleChanges
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.read import gather
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, at_revision, idempotent, report_unchanged

NOT_FOUND_BY_APPS = _(
    "Apps cannot find this version: its key lacks the leading zeros. Create a new draft from it and publish that."
)


class LiveVersionChanged(Conflict):
    """The live version is not the one that the person saw."""

    text = _("Another version was published while you had this open.")


class LowContrast(Refused):
    """Some text has too little contrast: the person has to confirm."""

    def __init__(self, failing: list[contrast.PairContrast]) -> None:
        self.failing = failing
        super().__init__(_("Some text has too little contrast. Publish anyway?"))


def check_can_be_live(theme: Theme) -> None:
    if theme.is_discarded:
        raise Refused(_("This draft is discarded. Restore it first."))
    if theme.must_be_copied_to_publish:
        raise Refused(NOT_FOUND_BY_APPS)


@idempotent
def publish(
    business: str,
    version: int,
    *,
    expected_live_version: int | None,
    revision: int | None = None,
    note: str = "",
    accept_low_contrast: bool = False,
    schedule: ScheduledPublication | None = None,
    cancel: Collection[str] = (),
    restore: str = "",
    command: Command,
) -> PublishedMarker:
    """Make a version live if `expected_live_version` is still live. To roll back, publish an older version.

    `revision` is the draft revision that the person saw. If it is None, the current draft is published. A person who
    publishes a version cancels its schedules, and those of other versions with the ids in `cancel`. For Undo, `restore`
    is the id of the command whose schedules come back. `schedule` is the one that is due; others stay.
    """

    def attempt() -> PublishedMarker:
        load_state = partial(queries.load_theme_state, business, version, expected_live_version)
        plan_changes = partial(schedule_changes.plan, business, version, cancel, restore, command)
        state, changes = gather(load_state, plan_changes) if schedule is None else (load_state(), ScheduleChanges())
        return _publish(state, expected_live_version, revision, note, accept_low_contrast, schedule, changes, command)

    return retry_on(StaleRevision, attempt)


def _publish(
    state: ThemeState,
    expected_live_version: int | None,
    revision: int | None,
    note: str,
    accept_low_contrast: bool,
    schedule: ScheduledPublication | None,
    changes: ScheduleChanges,
    command: Command,
) -> PublishedMarker:
    theme = state.theme
    previous_theme = state.other_themes.get(expected_live_version) if expected_live_version is not None else None
    if state.live_version != expected_live_version:
        raise LiveVersionChanged(state.marker)
    if state.marker is not None and state.live_version == theme.number:
        return report_unchanged(
            state.marker, {"previous": expected_live_version, "version": expected_live_version}, command
        )
    check_can_be_live(theme)
    if theme.is_editable and revision is not None and theme.revision != revision:
        raise Conflict(theme)
    low_contrast_pairs = contrast.failing_pairs(theme.style)
    if low_contrast_pairs and not accept_low_contrast:
        raise LowContrast(low_contrast_pairs)

    is_rollback = not theme.is_editable
    before = {"in_force": f"v{expected_live_version}" if expected_live_version is not None else "none"}
    transaction = Transaction(command)
    live_marker = _move_marker(transaction, state, theme)
    themes = [each for each in (theme, previous_theme) if each is not None]
    in_service_format = any(each.is_written_for_branding_service for each in themes)
    _mark_live(transaction, theme, in_service_format)
    if previous_theme is not None:
        _mark_superseded(transaction, previous_theme, in_service_format)
    publication = _new_publication(theme, expected_live_version, note, command)
    publication.below_aa = [each.pair.id for each in low_contrast_pairs] or None
    publication.scheduled = 1 if schedule else None
    transaction.create(publication)
    if schedule is not None:
        transaction.delete(schedule, revision=schedule.revision)
    values = {"in_force": theme.label, "note": note, "below_aa": ", ".join(publication.below_aa or [])}
    after = {name: value for name, value in values.items() if value} | changes.audit_values
    action = "theme.rollback" if is_rollback else "theme.publish"
    record_change(transaction, action, theme, before=before, after=after)
    changes.apply(transaction)
    # There is no Undo if the previous version does not exist.
    previous_is_missing = expected_live_version is not None and previous_theme is None
    result = {"previous": expected_live_version, "version": theme.number, "lost": previous_is_missing}
    return transaction.commit(live_marker, result | changes.result)


@idempotent
def withdraw(business: str, version: int, *, restore: str = "", command: Command) -> Theme:
    """Undo the first publication: no version is live. `restore` is the id of the command whose schedules come back."""
    return retry_on(StaleRevision, lambda: _withdraw(business, version, restore, command))


def _withdraw(business: str, version: int, restore: str, command: Command) -> Theme:
    state = queries.load_theme_state(business, version)
    changes = schedule_changes.plan(business, None, (), restore, command) if restore else ScheduleChanges()
    theme, live_marker = state.theme, state.marker
    if live_marker is None or state.live_version != version:
        raise LiveVersionChanged(live_marker)
    transaction = Transaction(command)
    transaction.delete(
        live_marker,
        revision=live_marker.revision,
        condition=_is_live_version(live_marker),
        on_failure=LiveVersionChanged,
    )
    _mark_superseded(transaction, theme, theme.is_written_for_branding_service)
    publication = _new_publication(theme, version, "", command)
    publication.withdrawn = 1
    transaction.create(publication)
    after = {"in_force": "none"} | changes.audit_values
    record_change(transaction, "theme.withdraw", theme, before={"in_force": theme.label}, after=after)
    changes.apply(transaction)
    theme.revision = theme.revision + 1
    return transaction.commit(theme, changes.result or None)


def _move_marker(transaction: Transaction, state: ThemeState, theme: Theme) -> PublishedMarker:
    live_marker = state.marker or PublishedMarker.new(tenant=theme.business)
    previous_version: Any = live_marker.version
    live_marker.type = "PUBLISHED_MARKER"
    live_marker.version = live_marker.described_version = theme.number
    live_marker.published_at = now()
    live_marker.published_by = transaction.command.by.email
    live_marker.published_by_name = transaction.command.by.name or None
    live_marker.title, live_marker.swatches = theme.name, theme.swatches
    live_marker.reported_version = None
    if state.marker is None:
        transaction.create(live_marker, on_failure=LiveVersionChanged)
        return live_marker

    def error_for(item: Item | None) -> Conflict:
        is_same = isinstance(item, PublishedMarker) and item.version == previous_version
        return StaleRevision(item) if is_same else LiveVersionChanged(item)

    condition = _is_live_version(live_marker)
    transaction.save(live_marker, revision=live_marker.revision, condition=condition, on_failure=error_for)
    return live_marker


def _is_live_version(marker: PublishedMarker) -> Condition:
    """Check the version too: outside writers change it without changing the revision.

    This is the seed's condition. It implies that of the branding service: a published version is not lower than the
    live one, a version that is rolled back to is not higher.
    """
    return marker.unchanged("version")


def _mark_live(transaction: Transaction, theme: Theme, in_service_format: bool) -> None:
    """Mark a theme as live, so that it does not expire. Its files cannot be deleted."""
    assets, revision = theme.asset_ids, theme.revision
    theme.set_status(ThemeStatus.PUBLISHED, in_service_format=in_service_format)
    theme.first_published_at = theme.first_published_at or now()
    theme.time_to_archive = theme.ttl = None
    actions = [*_status_actions(theme), Theme.stored_revision.set(revision + 1)]
    if in_service_format:
        actions += [Theme.published_at.set(now()), Theme.published_by.set(transaction.command.by.email)]
    # This is not an edit: `updatedBy` still names the person who designed it.
    transaction.update(theme.key, actions, _at_revision(theme, revision), StaleRevision)
    asset_usage.record_usage(transaction, theme, before=assets)


def _mark_superseded(transaction: Transaction, theme: Theme, in_service_format: bool) -> None:
    """In the service's format it becomes a draft again, as the service requires for its own rollback."""
    theme.set_status(ThemeStatus.SUPERSEDED, in_service_format=in_service_format)
    theme.first_published_at = theme.first_published_at or now()
    actions = [*_status_actions(theme), Theme.stored_revision.set(theme.revision + 1)]
    if in_service_format:
        actions += [Theme.published_at.remove(), Theme.published_by.remove()]
    transaction.update(theme.key, actions, _at_revision(theme, theme.revision), StaleRevision)


def _status_actions(theme: Theme) -> list[Action]:
    return [
        Theme.status.set(theme.status),
        Theme.first_published_at.set(theme.first_published_at),
        Theme.discarded_at.remove(),
        Theme.time_to_archive.remove(),
        Theme.ttl.remove(),
    ]


def _at_revision(theme: Theme, revision: int) -> Condition:
    return cast(Condition, at_revision(revision) & unchanged_by_others(theme))


def _new_publication(theme: Theme, previous_version: int | None, note: str, command: Command) -> Publication:
    publication = Publication.new(tenant=theme.business, at=now(), operation=command.id)
    publication.version, publication.previous = theme.number, previous_version
    publication.published_at, publication.published_by = now(), command.by.email
    publication.published_by_name = command.by.name or None
    publication.note, publication.title, publication.swatches = note or None, theme.name, theme.swatches
    return publication
