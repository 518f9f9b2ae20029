"""Adds, deletes and restores items of a site."""

from __future__ import annotations

from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from content.items import Context, LibraryItem, Product, Signal, SignalStatus, SiteAsset
from content.library.changes import removed_item, to_json
from content.library.kind import LibraryKind
from content.library.kinds import PRODUCTS
from content.queries.library import key_of, load_item
from content.services.library.media_rules import ensure_unused
from content.services.library.records import after_commit, again_if_copies_changed, done_of, ensure_seen, record_change
from content.services.product_copies import (
    CATEGORIES,
    add_copies,
    categories_of,
    writes_for,
)
from dashboard.core.errors import Conflict, DomainError, NotFound, Refused
from dashboard.core.ids import new_id
from dashboard.core.names import unaccented
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command
from dashboard.table.items import Item, Raw
from dashboard.table.transactions import Transaction, idempotent

# Attributes whose values a deletion requires. A condition with more names would be too long.
MAX_CONDITIONS = 150
MAX_SLUG = 80
NOTHING_TO_RESTORE = _("There is nothing to restore.")


@idempotent
@again_if_copies_changed
def create(
    kind: LibraryKind,
    business: str,
    values: dict[str, Any],
    stored: Raw | None = None,
    *,
    item_id: str = "",
    command: Command,
) -> LibraryItem:
    """Add an item, with the attributes that the website service writes. `stored` has further ones."""
    item: Any = kind.item_class.new(tenant=business, id=item_id or new_id())
    item_id = kind.id_of(item)
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
    record_change(transaction, kind, "create", item, None, kind.fields.audit_values(item))
    if kind is PRODUCTS:
        add_copies(transaction, writes_for(item.key, None, item.serialize() | item.extra_attributes))
    created: LibraryItem = transaction.commit(item)
    after_commit(kind)
    return created


@idempotent
@again_if_copies_changed
def remove(kind: LibraryKind, business: str, item_id: str, *, revision: int, digest: str, command: Command) -> None:
    """Delete an item. Undo restores it with all its attributes."""
    item = load_item(kind, business, item_id)
    ensure_seen(item, revision, digest)
    if isinstance(item, SiteAsset):
        ensure_unused(business, item)
    transaction = Transaction(command)
    names = sorted(item.raw.keys() - {"PK", "SK"})[:MAX_CONDITIONS]
    transaction.delete(item, revision=revision, condition=item.unchanged(*names))
    copies = writes_for(item.key, item.raw, None) if kind is PRODUCTS else []
    # What follows the change finds the copies that do not fit by their categories.
    categories = {CATEGORIES: "\n".join(categories_of(item.raw))} if copies else {}
    record_change(transaction, kind, "remove", item, kind.fields.audit_values(item) | categories, None)
    add_copies(transaction, copies)
    transaction.commit(None, {"removed": to_json(dict(item.raw))})
    after_commit(kind)


@idempotent
@again_if_copies_changed
def restore(kind: LibraryKind, business: str, item_id: str, *, of: str, command: Command) -> LibraryItem:
    """Restore an item that the same person deleted. `of` is the id of the command that deleted it."""
    done = done_of(of, command)
    raw = removed_item(done.result if done else None, key_of(kind, business, item_id))
    if raw is None:
        load_item(kind, business, item_id)
        raise Refused(NOTHING_TO_RESTORE)
    transaction = Transaction(command)
    item: Any = transaction.restore(raw, _already_exists)
    record_change(transaction, kind, "restore", item, None, None)
    add_copies(transaction, writes_for(item.key, None, raw) if kind is PRODUCTS else [])
    restored: LibraryItem = transaction.commit(item)
    after_commit(kind)
    return restored


def _already_exists(item: Item | None) -> DomainError:
    return Conflict(item, _("It already exists.")) if item is not None else NotFound()
