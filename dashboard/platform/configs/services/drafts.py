"""What a person is about to change, kept until they save it: on every page, on every device."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta

from django.utils.translation import ngettext

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Change, Changes, Value, followed_by, pack_changes
from dashboard.platform.configs.items import ConfigDraft
from dashboard.platform.configs.kinds import Kind
from dashboard.platform.configs.queries import ConfigState
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent

# Nobody has touched it for so long: then it goes.
FORGOTTEN_AFTER = timedelta(days=90)
# Packed. The step before needs as much again, in an item that ends at 400 KB.
MAX_BYTES = 180 * 1024


@idempotent
def stage(kind: Kind, wanted: Mapping[str, Value], *, command: Command) -> ConfigDraft:
    """Have these entries so; none takes one away. Nothing is changed for others before it is saved."""

    def more(at: ConfigState) -> Changes:
        staged = {name: Change(at.wanted.get(name), value) for name, value in wanted.items()}
        return {name: change for name, change in staged.items() if change.was != change.now}

    return _change(kind, lambda at: followed_by(at.staged, more(at)), command)


@idempotent
def unstage(kind: Kind, names: Collection[str], *, command: Command) -> ConfigDraft:
    """Leave some entries as they are saved."""
    return _change(kind, lambda at: {name: change for name, change in at.staged.items() if name not in names}, command)


@idempotent
def discard(kind: Kind, *, command: Command) -> ConfigDraft:
    """Leave everything as it is saved."""
    return _change(kind, lambda at: {}, command)


@idempotent
def step_back(kind: Kind, *, revision: int, command: Command) -> ConfigDraft:
    """As it was before the last step; the same again leads forward."""
    draft = queries.standing(kind, command.by.email).draft
    if draft is None or draft.revision != revision:
        raise Conflict(draft)
    draft.packed, draft.before = draft.before, draft.packed
    transaction = Transaction(command)
    transaction.save(draft, revision=revision)
    return transaction.commit(draft)


def _change(kind: Kind, change: Callable[[ConfigState], Changes], command: Command) -> ConfigDraft:
    def attempt() -> ConfigDraft:
        at = queries.standing(kind, command.by.email)
        return _write(at, change(at), command)

    return retry_on(StaleRevision, attempt)


def _write(at: ConfigState, changes: Changes, command: Command) -> ConfigDraft:
    content = pack_changes(changes)
    if len(content) > MAX_BYTES:
        raise Refused(
            ngettext(
                "%(count)s change is more than can be kept unsaved. Nothing is lost: take fewer at once.",
                "%(count)s changes are more than can be kept unsaved. Nothing is lost: take fewer at once.",
                len(changes),
            )
            % {"count": f"{len(changes):,}"}
        )
    transaction = Transaction(command)
    draft = at.draft or ConfigDraft.at(name=at.kind.name, email=command.by.email)
    draft.before, draft.packed = draft.packed, content
    draft.ttl = int((now() + FORGOTTEN_AFTER).timestamp())
    if at.draft is None:
        transaction.create(draft, otherwise=StaleRevision)
    else:
        transaction.save(draft, revision=draft.revision, otherwise=StaleRevision)
    return transaction.commit(draft, {"changes": len(changes)})
