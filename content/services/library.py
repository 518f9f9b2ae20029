"""Changes of products, resources, contexts, signals and files of a site, with their Undo.

Outside writers put whole items and count no revisions. So a change requires the revision that the person saw, the
content that they saw, and that none of the changed attributes changes before the write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from content.items import Context, LibraryItem, Product, Signal, SignalStatus
from content.library.attribute_texts import Value
from content.library.changes import AttributeChange, changes_of, is_equal, readable, removed_item, to_json
from content.library.digests import digest_of
from content.library.kinds import PRODUCTS, SIGNALS, LibraryKind
from content.queries.library import key_of, load_item, target_of
from content.services.markers import put_markers_if_possible
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.core.ids import new_id
from dashboard.core.names import unaccented
from dashboard.platform.audit.services import record
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command
from dashboard.table.items import Item, Raw
from dashboard.table.masking import masked_value
from dashboard.table.transactions import Transaction, find_done, idempotent, report_unchanged

# Attributes whose values a deletion requires. A condition with more names would be too long.
MAX_CONDITIONS = 150
MAX_SLUG = 80
NOTHING_TO_RESTORE = _("There is nothing to restore.")
NOTHING_TO_UNDO = _("There is nothing to undo.")
CHANGED_SINCE = _("It has changed since. Nothing was undone.")
_SEEN_AT = "updatedAt"


@idempotent
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
    _ensure_seen(item, revision, digest)
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
    _ensure_seen(signal, revision, digest)
    signal.status = status
    saved = _save(SIGNALS, business, signal, {}, "mark", revision, command)
    assert isinstance(saved, Signal)
    return saved


@idempotent
def undo(kind: LibraryKind, business: str, item_id: str, *, of: str, revision: int, command: Command) -> LibraryItem:
    """Give the attributes that a command changed their previous values, exactly as they were stored."""
    item = load_item(kind, business, item_id)
    done = _done_of(of, command)
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
    transaction = Transaction(command)
    transaction.save(
        item, revision=revision, condition=item.unchanged(*dict.fromkeys([*names, _SEEN_AT])), stored=stored
    )
    _record(transaction, kind, action, item, *_audit_states(kind, changes))
    saved = transaction.commit(item, {"changes": [change.to_json() for change in changes]})
    _after_commit(kind)
    return saved


def _after_commit(kind: LibraryKind) -> None:
    """The public site shows products."""
    if kind is PRODUCTS:
        put_markers_if_possible()


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


@idempotent
def create(
    kind: LibraryKind, business: str, values: dict[str, Any], stored: Raw | None = None, *, command: Command
) -> LibraryItem:
    """Add an item, with the attributes that the website service writes. `stored` has further ones."""
    item: Any = kind.item_class.new(tenant=business, id=new_id())
    item_id = str(item.key_parts["id"])
    kind.fields.apply(item, values)
    written = {"id": item_id, "tenantId": business, "Type": kind.type_name}
    if isinstance(item, Product):
        # The public site finds a product by this text.
        item.slug = slugify(unaccented(item.title or ""))[:MAX_SLUG] or item_id
        written["TenantSlug"] = f"{business}#{item.slug}"
    elif isinstance(item, Signal):
        item.status = SignalStatus.DRAFTED if item.draft_reply else SignalStatus.NEW
    elif isinstance(item, Context):
        item.created_by, item.blocks = command.by.email, item.blocks or []
    item.extra_attributes = {name: to_attribute(value) for name, value in written.items()} | (stored or {})
    transaction = Transaction(command)
    transaction.create(item)
    _record(transaction, kind, "create", item, None, kind.fields.audit_values(item))
    created: LibraryItem = transaction.commit(item)
    _after_commit(kind)
    return created


@idempotent
def remove(kind: LibraryKind, business: str, item_id: str, *, revision: int, digest: str, command: Command) -> None:
    """Delete an item. Undo restores it with all its attributes."""
    item = load_item(kind, business, item_id)
    _ensure_seen(item, revision, digest)
    transaction = Transaction(command)
    names = sorted(item.raw.keys() - {"PK", "SK"})[:MAX_CONDITIONS]
    transaction.delete(item, revision=revision, condition=item.unchanged(*names))
    _record(transaction, kind, "remove", item, kind.fields.audit_values(item), None)
    transaction.commit(None, {"removed": to_json(dict(item.raw))})
    _after_commit(kind)


def _ensure_seen(item: LibraryItem, revision: int, digest: str) -> None:
    """The person saw this content. Only a button of a new item sends no digest: nobody else has its revision."""
    if digest_of(item) != digest and (digest or not revision):
        raise Conflict(item)


@idempotent
def restore(kind: LibraryKind, business: str, item_id: str, *, of: str, command: Command) -> LibraryItem:
    """Restore an item that the same person deleted. `of` is the id of the command that deleted it."""
    done = _done_of(of, command)
    raw = removed_item(done.result if done else None, key_of(kind, business, item_id))
    if raw is None:
        load_item(kind, business, item_id)
        raise Refused(NOTHING_TO_RESTORE)
    transaction = Transaction(command)
    item: Any = transaction.restore(raw, _already_exists)
    _record(transaction, kind, "restore", item, None, None)
    restored: LibraryItem = transaction.commit(item)
    _after_commit(kind)
    return restored


def _done_of(of: str, command: Command) -> Any:
    """The record of another command of the same person."""
    try:
        return find_done(Command(of, command.by))
    except ValueError:
        return None


def _already_exists(item: Item | None) -> DomainError:
    return Conflict(item, _("It already exists.")) if item is not None else NotFound()


def _record(
    transaction: Transaction,
    kind: LibraryKind,
    action: str,
    item: LibraryItem,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    item_id, business = str(item.key_parts["id"]), str(item.key_parts["tenant"])
    record(
        transaction,
        f"{kind.name}.{action}",
        target=target_of(kind, item_id),
        kind=kind.name,
        title=kind.title_of(item),
        before=before,
        after=after,
        business=business,
    )
