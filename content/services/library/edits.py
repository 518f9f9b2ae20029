"""Changes attributes of items of a site, with their Undo.

Outside writers put whole items and count no revisions. So a change requires the revision that the person saw, the
content that they saw, and that none of the changed attributes changes before the write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from content.items import LibraryItem, Signal, SignalStatus
from content.library.attribute_texts import Value
from content.library.changes import AttributeChange, changes_of, is_equal, readable
from content.library.kind import LibraryKind
from content.library.kinds import PRODUCTS, SIGNALS
from content.queries.library import load_item
from content.services.library.records import after_commit, again_if_copies_changed, done_of, ensure_seen, record_change
from content.services.product_copies import (
    ON_CARDS,
    CopyWrite,
    add_copies,
    are_on_cards,
    writes_for,
)
from dashboard.core.errors import Conflict, Refused
from dashboard.table.commands import Command
from dashboard.table.items import Raw
from dashboard.table.masking import masked_value
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

NOTHING_TO_UNDO = _("There is nothing to undo.")
CHANGED_SINCE = _("It has changed since. Nothing was undone.")
_SEEN_AT = "updatedAt"


@idempotent
@again_if_copies_changed
def edit(
    kind: LibraryKind,
    business: str,
    item_id: str,
    values: dict[str, Any],
    attributes: Mapping[str, Value | None] | None = None,
    *,
    revision: int,
    digest: str,
    command: Command,
) -> LibraryItem:
    """Change fields (`values`) and other attributes (`attributes`, as they are stored; None removes one)."""
    item = load_item(kind, business, item_id)
    ensure_seen(item, revision, digest)
    kind.fields.apply(item, values)
    if isinstance(item, Signal) and "draft_reply" in values and "status" not in values:
        _mark_as_drafted(item)
    return _save(kind, business, item, dict(attributes or {}), "edit", revision, command)


def _mark_as_drafted(signal: Signal) -> None:
    """A new signal with a reply is drafted; one whose reply was removed is new again."""
    status = signal.status or SignalStatus.NEW
    if signal.draft_reply and status == SignalStatus.NEW:
        signal.status = SignalStatus.DRAFTED
    elif not signal.draft_reply and status == SignalStatus.DRAFTED:
        signal.status = SignalStatus.NEW


@idempotent
def mark(
    business: str, signal_id: str, status: SignalStatus, *, revision: int, digest: str, command: Command
) -> Signal:
    """Set the status of a signal."""
    signal = load_item(SIGNALS, business, signal_id)
    assert isinstance(signal, Signal)
    ensure_seen(signal, revision, digest)
    signal.status = status
    saved = _save(SIGNALS, business, signal, {}, "mark", revision, command)
    assert isinstance(saved, Signal)
    return saved


@idempotent
@again_if_copies_changed
def undo(kind: LibraryKind, business: str, item_id: str, *, of: str, revision: int, command: Command) -> LibraryItem:
    """Give the attributes that a command changed their previous values, exactly as they were stored."""
    item = load_item(kind, business, item_id)
    done = done_of(of, command)
    if done is None or (done.subject_pk, done.subject_sk) != item.key:
        raise Refused(NOTHING_TO_UNDO)
    changes = changes_of(done.result)
    if not changes:
        raise Refused(NOTHING_TO_UNDO)
    if not all(is_equal(item.raw.get(change.name), change.after) for change in changes):
        raise Conflict(item, CHANGED_SINCE)
    stored = {change.name: change.before for change in changes}
    return _save(kind, business, item, stored, "edit", revision, command)


def _save(
    kind: LibraryKind,
    business: str,
    item: LibraryItem,
    stored: dict[str, Any],
    action: str,
    revision: int,
    command: Command,
) -> LibraryItem:
    changes = [
        *_changes_of_fields(item),
        *(AttributeChange(name, item.raw.get(name), after) for name, after in stored.items()),
    ]
    changes = [change for change in changes if not is_equal(change.before, change.after)]
    if not changes:
        return report_unchanged(item, {}, command)
    names = [change.name for change in changes]
    copies: list[CopyWrite] = []
    if kind is PRODUCTS and are_on_cards(names):
        copies = writes_for(item.key, item.raw, _after(item.raw, changes))
        names += ON_CARDS
    transaction = Transaction(command)
    transaction.save(
        item, revision=revision, condition=item.unchanged(*dict.fromkeys([*names, _SEEN_AT])), stored=stored
    )
    record_change(transaction, kind, action, item, *_audit_states(kind, changes))
    add_copies(transaction, copies)
    saved = transaction.commit(item, {"changes": [change.to_json() for change in changes]})
    after_commit(kind)
    return saved


def _after(raw: Mapping[str, Value], changes: list[AttributeChange]) -> Raw:
    """The item as it will be stored."""
    after = {name: dict(value) for name, value in raw.items()}
    return {
        name: value
        for name, value in (after | {each.name: each.after for each in changes}).items()
        if value is not None
    }


def _changes_of_fields(item: LibraryItem) -> list[AttributeChange]:
    """The attributes that the fields changed, as they are stored and as they will be."""
    attributes, after = item.get_attributes(), item.serialize()
    names = [str(attributes[name].attr_name) for name in item.changes()]
    return [AttributeChange(name, item.raw.get(name), after.get(name)) for name in names]


def _audit_states(kind: LibraryKind, changes: list[AttributeChange]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The changed values for the audit entry, by the names of the fields. Secrets are masked."""
    fields = kind.field_names()
    states: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for change in changes:
        for state, value in zip(states, (change.before, change.after), strict=True):
            if value is not None and (text := readable(masked_value(change.name, value))) != "":
                state[fields.get(change.name, change.name)] = text
    return states
