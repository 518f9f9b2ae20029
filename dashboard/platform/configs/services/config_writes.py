"""Save, restore and revert a config. The config, its version and the audit entry change in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Changes, EntryConflict, count_verbs, diff, inverse, merge
from dashboard.platform.configs.items import VERSION_LIMIT, Body, Config, ConfigDraft
from dashboard.platform.configs.kinds import MAX_BYTES, ConfigKind, NeedsConfirmation, digest
from dashboard.platform.configs.services.versions import (
    MAX_LABELS,
    VersionNote,
    add_version,
    preserve_unversioned_body,
)
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import Command
from dashboard.table.item_size import in_kb, size_of
from dashboard.table.read import gather
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# The part of an item that is reserved for keys, timestamps and attributes of outside writers.
RESERVED_BYTES = 40 * 1024


class MergeConflict(Conflict):
    """Someone else changed the same entries to other values."""

    text = _("Someone else changed the same entries while you were editing.")

    def __init__(self, item: Config | None, conflicts: list[EntryConflict]) -> None:
        self.conflicts = conflicts
        super().__init__(item)


class ConfirmationRequired(Refused):
    """Some of the changes need confirmation and are not confirmed."""

    def __init__(self, confirmations: Sequence[NeedsConfirmation]) -> None:
        self.confirmations = confirmations
        super().__init__(_("This change needs confirmation."))


@dataclass(frozen=True)
class _SaveRequest:
    kind: ConfigKind
    changes: Changes
    note: VersionNote
    command: Command
    # The revision that the person saw; None if no person saw the config.
    revision: int | None = None
    overwrite: Collection[str] = ()
    draft: ConfigDraft | None = None
    # Copied before the first attempt, because each attempt changes `draft.revision`.
    draft_revision: int = 0
    # Tokens of `NeedsConfirmation`; None skips the check.
    confirmed: Collection[str] | None = ()


@idempotent
def save(
    kind: ConfigKind,
    changes: Changes,
    *,
    note: str = "",
    revision: int | None,
    overwrite: Collection[str] = (),
    draft: ConfigDraft | None = None,
    confirmed: Collection[str] | None = (),
    command: Command,
) -> Config:
    """Apply the changes to the current config. Changes of other people stay.

    `overwrite` names conflicting entries for which these changes win. It is valid only if the config still has
    `revision`, which the person saw. `confirmed` has the tokens of the changes that need confirmation; None skips
    the check.
    """
    draft_revision = draft.revision if draft else 0
    return _save(
        _SaveRequest(kind, changes, VersionNote(note), command, revision, overwrite, draft, draft_revision, confirmed)
    )


@idempotent
def restore(
    kind: ConfigKind, number: int, *, revision: int, confirmed: Collection[str] = (), command: Command
) -> Config:
    """Save the body of an older version as a new version."""
    (target,) = queries.load_versions(kind, number)
    config = queries.current(kind)
    if (config.revision if config else 0) != revision:
        raise Conflict(config)
    changes = diff(kind.entries_of(config), kind.entries(target.body))
    return _save(_SaveRequest(kind, changes, VersionNote(restored=number), command, revision, confirmed=confirmed))


@idempotent
def revert(kind: ConfigKind, number: int, *, confirmed: Collection[str] = (), command: Command) -> Config:
    """Undo the changes of one version. Later changes stay."""
    after, before = queries.load_versions(kind, number, number - 1)
    changes = inverse(diff(kind.entries(before.body), kind.entries(after.body)))
    return _save(_SaveRequest(kind, changes, VersionNote(reverted=number), command, confirmed=confirmed))


def _save(request: _SaveRequest) -> Config:
    return retry_on(StaleRevision, lambda: _try_save(request), tries=24)


def _try_save(request: _SaveRequest) -> Config:
    kind = request.kind
    config, newest_number = gather(partial(queries.current, kind), partial(queries.newest_number, kind))
    body, revision = kind.body_of(config), config.revision if config else 0
    overwrite = request.overwrite if revision == request.revision else ()
    merge_result = merge(kind.entries(body), request.changes, kind.merge_values, overwrite)
    if merge_result.conflicts:
        raise MergeConflict(config, merge_result.conflicts)
    if not merge_result.changes:
        if config is None:
            raise Refused(_("There are no changes to save."))
        return report_unchanged(config, {}, request.command)
    after = kind.apply(body, merge_result.changes)
    _ensure_fits(kind, config, after)
    confirmations = _ensure_confirmed(request, body, after, merge_result.changes)
    newest_number = max(config.number if config else 0, newest_number)
    if newest_number + 2 >= VERSION_LIMIT:
        raise Refused(_("The highest version number is reached."))
    result = count_verbs(merge_result.changes) | _other_editor(config, request.revision)
    transaction = Transaction(request.command)
    number = preserve_unversioned_body(transaction, kind, config, newest_number) + 1
    add_version(transaction, kind, number, after, merge_result.changes, request.note)
    config = _write_config(transaction, kind, config, after, number)
    if request.draft is not None:
        # The draft is emptied, not deleted, so that its revision continues.
        # An old form therefore cannot undo a step of the next draft.
        request.draft.packed = request.draft.before = None
        transaction.save(request.draft, revision=request.draft_revision)
    record(
        transaction,
        f"{kind.name}.{request.note.action}",
        target=kind.name,
        kind="config",
        title=f"v{number}",
        before=_audit_values(kind, body, {}, number - 1),
        after=_audit_values(kind, after, merge_result.changes, number) | _audit_notes(request, confirmations),
    )
    return transaction.commit(config, {"version": number, **result})


def _ensure_confirmed(
    request: _SaveRequest, before: Body, after: Body, changes: Changes
) -> Sequence[NeedsConfirmation]:
    """Return the changes that needed confirmation. Raise ConfirmationRequired if one is not confirmed."""
    if request.kind.confirmations is None or request.confirmed is None:
        return ()
    confirmations = request.kind.confirmations(before, after, changes)
    if any(each.token not in request.confirmed for each in confirmations):
        raise ConfirmationRequired(confirmations)
    return confirmations


def _audit_notes(request: _SaveRequest, confirmations: Sequence[NeedsConfirmation]) -> dict[str, str]:
    """Return the note of the person and the changes that they confirmed."""
    notes = {"note": request.note.text, "confirmed": ", ".join(each.audit_text for each in confirmations)}
    return {name: text for name, text in notes.items() if text}


def _other_editor(config: Config | None, revision: int | None) -> dict[str, str]:
    """Return who saved after the person opened the config; the toast shows it."""
    if config is None or revision in (None, config.revision):
        return {}
    return {"with": config.updated_by_name or config.updated_by or ""}


def _write_config(
    transaction: Transaction, kind: ConfigKind, config: Config | None, after: Body, number: int
) -> Config:
    if config is None:
        config = Config.new(name=kind.name)
        _set_body(config, kind, after, number)
        transaction.create(config, on_failure=StaleRevision)
    else:
        # Outside writers do not change the revision, so the condition also checks the fields.
        fields_unchanged = config.unchanged(*map(kind.attribute_name, kind.fields))
        _set_body(config, kind, after, number)
        transaction.save(config, revision=config.revision, condition=fields_unchanged, on_failure=StaleRevision)
    return config


def _set_body(config: Config, kind: ConfigKind, body: Body, number: int) -> None:
    kind.write_body(config, body)
    config.version, config.digest = number, digest(body)


def _ensure_fits(kind: ConfigKind, config: Config | None, body: Body) -> None:
    """Raise Refused if the body is too large. Attributes of outside writers in the same item count too."""
    size = size_of(body)
    own_names = {kind.attribute_name(name) for name in kind.fields}
    outside_values = (
        {name: from_attribute(value) for name, value in config.raw.items() if name not in own_names} if config else {}
    )
    if size <= MAX_BYTES - max(0, size_of(outside_values) - RESERVED_BYTES):
        return
    count = sum(kind.totals(kind.entries(body)).values())
    sentence = ngettext(
        "%(count)s entry takes %(size)s KB, and the limit is %(most)s KB. Remove some entries and save again.",
        "%(count)s entries take %(size)s KB, and the limit is %(most)s KB. Remove some entries and save again.",
        count,
    )
    raise Refused(sentence % {"count": f"{count:,}", "size": in_kb(size), "most": in_kb(MAX_BYTES)})


def _audit_values(kind: ConfigKind, body: Body, changes: Changes, number: int) -> dict[str, Any]:
    """Return the version, the totals and the labels of the first changed entries."""
    values: dict[str, Any] = {"version": f"v{number}", **kind.totals(kind.entries(body))}
    labels: dict[str, list[str]] = {}
    for name in list(changes)[:MAX_LABELS]:
        entry = kind.entry_labels(name, changes[name])
        labels.setdefault(entry.verb, []).append(entry.label)
    more = len(changes) - MAX_LABELS
    return values | {verb: ", ".join(each) for verb, each in labels.items()} | ({"more": more} if more > 0 else {})
