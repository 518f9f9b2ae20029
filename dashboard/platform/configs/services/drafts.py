"""A person's unsaved changes of a config, stored until they save."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta

from django.utils.translation import ngettext

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Changes, EntryChange, Value, combine, pack_changes
from dashboard.platform.configs.items import ConfigDraft
from dashboard.platform.configs.kinds import ConfigKind
from dashboard.platform.configs.queries import ConfigState
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent

# After the last change.
EXPIRES_AFTER = timedelta(days=90)
# Compressed. The previous step takes as much again, and DynamoDB's limit for an item is 400 KB.
MAX_BYTES = 180 * 1024


@idempotent
def stage(kind: ConfigKind, values: Mapping[str, Value], *, command: Command) -> ConfigDraft:
    """Set entries in the draft; None removes an entry."""

    def new_changes(state: ConfigState) -> Changes:
        changes = {name: EntryChange(state.edited.get(name), value) for name, value in values.items()}
        return {name: change for name, change in changes.items() if change.was != change.now}

    return _change(kind, lambda state: combine(state.staged, new_changes(state)), command)


@idempotent
def unstage(kind: ConfigKind, names: Collection[str], *, command: Command) -> ConfigDraft:
    """Remove the changes of some entries from the draft."""
    return _change(
        kind,
        lambda state: {name: change for name, change in state.staged.items() if name not in names},
        command,
    )


@idempotent
def discard(kind: ConfigKind, *, command: Command) -> ConfigDraft:
    """Remove all changes from the draft."""
    return _change(kind, lambda _state: {}, command)


@idempotent
def step_back(kind: ConfigKind, *, revision: int, command: Command) -> ConfigDraft:
    """Undo the last step; called again, it redoes that step."""
    draft = queries.load_state(kind, command.by.email).draft
    if draft is None or draft.revision != revision:
        raise Conflict(draft)
    draft.packed, draft.before = draft.before, draft.packed
    transaction = Transaction(command)
    transaction.save(draft, revision=revision)
    return transaction.commit(draft)


def _change(kind: ConfigKind, change: Callable[[ConfigState], Changes], command: Command) -> ConfigDraft:
    def attempt() -> ConfigDraft:
        state = queries.load_state(kind, command.by.email)
        return _write(state, change(state), command)

    return retry_on(StaleRevision, attempt)


def _write(state: ConfigState, changes: Changes, command: Command) -> ConfigDraft:
    content = pack_changes(changes)
    if len(content) > MAX_BYTES:
        raise Refused(
            ngettext(
                "%(count)s unsaved change is too large. Save in smaller steps.",
                "%(count)s unsaved changes are too many. Save in smaller steps.",
                len(changes),
            )
            % {"count": f"{len(changes):,}"}
        )
    transaction = Transaction(command)
    draft = state.draft or ConfigDraft.new(name=state.kind.name, email=command.by.email)
    draft.before, draft.packed = draft.packed, content
    draft.ttl = int((now() + EXPIRES_AFTER).timestamp())
    if state.draft is None:
        transaction.create(draft, on_failure=StaleRevision)
    else:
        transaction.save(draft, revision=draft.revision, on_failure=StaleRevision)
    return transaction.commit(draft, {"changes": len(changes)})
