"""Create, save, discard and restore drafts, and switch their automatic deletion on and off."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import metadata, queries, tokens
from branding.items import AssetRole, BrandMeta, Theme, ThemeStatus
from branding.services import asset_usage
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.audit.services import MAX_SNAPSHOT, record
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# A draft is deleted this long after its last change; a discarded one after it was discarded.
DELETED_AFTER = timedelta(days=90)
DISCARDED_DELETED_AFTER = timedelta(days=30)
FIRST = 1

Values = dict[str, str]


class _NumberTaken(StaleRevision):
    """Two drafts are created at the same time: the second one takes the next number."""


@idempotent
def create(
    business: str,
    *,
    source: int | None = None,
    values: Values | None = None,
    files: dict[str, str] | None = None,
    name: str | None = None,
    command: Command,
) -> Theme:
    """Create a draft with the next number: a copy of `source` or the defaults, with these changes."""
    origin = queries.load_theme(business, source) if source is not None else None
    return retry_on(StaleRevision, lambda: _create(business, origin, values or {}, files, name, command))


def _create(
    business: str,
    origin: Theme | None,
    values: Values,
    files: dict[str, str] | None,
    name: str | None,
    command: Command,
) -> Theme:
    counter, highest = queries.find_brand_meta(business), queries.find_highest_version(business)
    last = max(_last_version(counter), highest.number if highest else 0, FIRST - 1)
    if last + 1 >= tokens.VERSION_LIMIT:
        raise Refused(_("There are no version numbers left."))
    draft = Theme.new(tenant=business, version=last + 1)
    draft.type, draft.version = "THEME", last + 1
    # The branding service finds a version only in its own format.
    in_service_format = any(theme is not None and theme.is_written_for_branding_service for theme in (origin, highest))
    draft.set_status(ThemeStatus.DRAFT, in_service_format=in_service_format)
    draft.metadata = metadata.merge(
        origin.metadata if origin else {}, values if origin else tokens.DEFAULTS | values, dotted=in_service_format
    )
    draft.assets = list(origin.assets or []) if origin else None if in_service_format else []
    draft.asset_roles = origin.asset_roles if origin else None if in_service_format else {}
    draft.made_from = origin.number if origin else None
    draft.name = (origin.name if origin else None) if name is None else name or None
    draft.created_by_name = command.by.name or command.by.email
    inherited = draft.asset_ids
    if files is not None:
        _set_files(draft, files)
    _set_expiry(draft, _deleted_after(draft))
    transaction = Transaction(command)
    _claim_number(transaction, business, counter, last)
    transaction.create(draft, on_failure=_NumberTaken)
    names = asset_usage.record_usage(transaction, draft, before=inherited)
    after = asset_usage.with_file_names(audit_values(draft), names) | ({"made_from": origin.label} if origin else {})
    record_change(transaction, "theme.create", draft, after=after)
    return transaction.commit(draft)


def _last_version(counter: BrandMeta | None) -> int:
    """The highest number on the `META` item; an impossible one counts as 0."""
    last = int(counter.last_version or 0) if counter else 0
    return last if last < tokens.VERSION_LIMIT else 0


def _claim_number(transaction: Transaction, business: str, counter: BrandMeta | None, last: int) -> None:
    """Store the highest number, so that the number of a deleted draft is not used again."""
    if counter is None:
        counter = BrandMeta.new(tenant=business)
        counter.type, counter.last_version = "BUSINESS", last + 1
        transaction.create(counter, on_failure=_NumberTaken)
        return
    condition = BrandMeta.pk.exists() & counter.unchanged("lastVersion")
    transaction.update(counter.key, [BrandMeta.last_version.set(last + 1)], condition, _NumberTaken)


@idempotent
def save(
    business: str,
    version: int,
    *,
    values: Values,
    files: dict[str, str],
    name: str,
    revision: int,
    merged_fields: dict[str, list[str]] | None = None,
    command: Command,
) -> Theme:
    """Save a draft. For a version that is or was live, create a new draft with the changes instead."""
    state = queries.load_theme_state(business, version)
    theme = state.theme
    if not theme.is_editable or state.live_version == version:
        if theme.revision != revision:
            raise Conflict(theme)
        return create(business, source=version, values=values, files=files, name=name, command=command)
    before, undo_values, previous_assets = audit_values(theme), form_values(theme), theme.asset_ids
    theme.metadata = metadata.merge(theme.metadata, values, dotted=theme.is_written_for_branding_service)
    theme.name = name or None
    if files != theme.assets_by_role:
        _set_files(theme, files)
    if form_values(theme) == undo_values and not theme.is_discarded:
        return report_unchanged(theme, {"before": undo_values, "kept": merged_fields or {}}, command)
    theme.type, theme.version = theme.type or "THEME", theme.number
    theme.set_status(ThemeStatus.DRAFT)
    if not theme.is_kept_forever:
        _set_expiry(theme, _deleted_after(theme))
    transaction = Transaction(command)
    transaction.save(theme, revision=revision, condition=unchanged_by_others(theme))
    names = asset_usage.record_usage(transaction, theme, before=previous_assets)
    before, after = asset_usage.with_file_names(before, names), asset_usage.with_file_names(audit_values(theme), names)
    record_change(transaction, "theme.save", theme, before=before, after=after)
    # `DONE` stores the previous values for Undo, unless values of outside writers make them too large.
    undo = {"before": undo_values} if len(repr(undo_values)) <= MAX_SNAPSHOT else {}
    # `merged_fields` names the changes of others that these values include, for the toast.
    return transaction.commit(theme, undo | ({"kept": merged_fields} if merged_fields else {}))


@idempotent
def disable_auto_delete(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Keep a draft until someone discards it."""
    theme = _load_editable(business, version)
    if theme.is_kept_forever:
        return report_unchanged(theme, {}, command)
    return _change_status(theme, None, ThemeStatus.DRAFT, "theme.keep", revision, command)


@idempotent
def enable_auto_delete(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Delete the draft automatically again, if nobody changes it."""
    theme = _load_editable(business, version, allow_live=False)
    _refuse_if_scheduled(business, version)
    return _change_status(theme, DELETED_AFTER, ThemeStatus.DRAFT, "theme.let_go", revision, command)


@idempotent
def discard(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Discard a draft. It can be restored for 30 days."""
    theme = _load_editable(business, version, allow_live=False)
    if theme.is_discarded:
        raise Conflict(theme, _("This draft is already discarded."))
    _refuse_if_scheduled(business, version)
    return _change_status(theme, DISCARDED_DELETED_AFTER, ThemeStatus.DISCARDED, "theme.discard", revision, command)


@idempotent
def restore(business: str, version: int, *, revision: int, command: Command) -> Theme:
    """Restore a discarded draft."""
    theme = _load_editable(business, version)
    if not theme.is_discarded:
        raise Conflict(theme, _("This draft is not discarded."))
    return _change_status(theme, _deleted_after(theme), ThemeStatus.DRAFT, "theme.restore", revision, command)


def _load_editable(business: str, version: int, *, allow_live: bool = True) -> Theme:
    """A version that can change. An outside writer may make a draft live without changing its status."""
    state = queries.load_theme_state(business, version)
    if not state.theme.is_editable or (not allow_live and state.live_version == version):
        raise Conflict(state.theme, _("This version was published and can no longer change."))
    return state.theme


def _refuse_if_scheduled(business: str, version: int) -> None:
    """A scheduled draft has to exist at its time."""
    if any(each.number == version and not each.missed for each in queries.schedules(business)):
        raise Refused(_("This draft is scheduled to publish. Cancel the schedule first."))


def _change_status(
    theme: Theme, expires_after: timedelta | None, status: ThemeStatus, action: str, revision: int, command: Command
) -> Theme:
    before = status_values(theme)
    theme.set_status(status)
    _set_expiry(theme, expires_after)
    transaction = Transaction(command)
    transaction.save(theme, revision=revision, condition=unchanged_by_others(theme))
    asset_usage.record_usage(transaction, theme, before=theme.asset_ids)
    record_change(transaction, action, theme, before=before, after=status_values(theme))
    return transaction.commit(theme)


def _set_expiry(theme: Theme, after: timedelta | None) -> None:
    theme.time_to_archive = int((now() + after).timestamp()) if after is not None else None
    theme.ttl = theme.expiry()


def _deleted_after(theme: Theme) -> timedelta | None:
    """Never in the service's format: the service may publish the draft and would not stop the deletion."""
    return None if theme.is_written_for_branding_service else DELETED_AFTER


def _set_files(theme: Theme, files: dict[str, str]) -> None:
    """A map of the branding service contains where the file is stored."""
    new = sorted(set(files.values()) - {*theme.asset_ids, ""}) if theme.has_asset_maps else []
    links = queries.asset_links_by_id(theme.business, new) if new else {}
    theme.set_assets(files, {asset: link.uri for asset, link in links.items() if link.uri})


def unchanged_by_others(theme: Theme) -> Condition:
    """The branding service publishes and overwrites a version without changing its revision."""
    return theme.unchanged("status", "updatedAt")


def form_values(theme: Theme) -> dict[str, Any]:
    """The values of the form's fields: tokens as they are stored, files and name."""
    values = {name: metadata.as_text(metadata.value_of(theme.metadata, name)) for name in tokens.BY_NAME}
    files = {role.value: theme.asset_for(role) or "" for role in AssetRole}
    return values | files | {"name": theme.name or ""}


def audit_values(theme: Theme) -> dict[str, Any]:
    """The values of an audit entry: those that are set."""
    return {name: value for name, value in form_values(theme).items() if value}


def status_values(theme: Theme) -> dict[str, Any]:
    expires_at = theme.expires_at
    return {"status": theme.current_status, "archives": expires_at.date().isoformat() if expires_at else "never"}


def record_change(transaction: Transaction, action: str, theme: Theme, **states: Any) -> None:
    target = queries.audit_target(theme.number)
    record(transaction, action, target=target, kind="theme", title=theme.title, business=theme.business, **states)
