"""Upload, delete, restore and purge files."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import queries, storage
from branding.images import Picture
from branding.items import Asset, AssetLink, AssetRole
from branding.queries import AssetState
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.table import keys, write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# How long a deleted file can be restored.
RESTORABLE_FOR = timedelta(days=30)
# The result of an upload; the values are stored.
UPLOADED, RESTORED, ALREADY_STORED = "new", "back", "here"
_MAX_NAMED = 5
_BEING_REMOVED = _("This file is being deleted permanently. Upload it again in a minute.")


class AssetInUse(Refused):
    """Versions use the file."""

    def __init__(self, versions: list[int]) -> None:
        self.versions = versions
        named = ", ".join(f"v{number}" for number in versions[:_MAX_NAMED])
        more = " …" if len(versions) > _MAX_NAMED else ""
        super().__init__(
            _("This file is used by %(versions)s. Choose another file there first.") % {"versions": named + more}
        )


@idempotent
def upload(business: str, picture: Picture, *, name: str, role: AssetRole, command: Command) -> Asset:
    """Store a file. The same file is the same asset: it is reported as stored, or restored if it was deleted."""
    return retry_on(StaleRevision, lambda: _upload(business, picture, name, role, command))


def _upload(business: str, picture: Picture, name: str, role: AssetRole, command: Command) -> Asset:
    state = queries.asset_state(business, storage.asset_id(business, picture.source))
    known = state.asset
    if known is not None and known.purging:
        raise Refused(_BEING_REMOVED, "file")
    is_listed = known is not None and not known.is_deleted and state.link is not None
    if known is not None and is_listed and known.file_name and storage.exists(known.file_name):
        return report_unchanged(known, {"what": ALREADY_STORED}, command)
    if state.link is None and queries.has_max_files(business):
        text = _("You can have up to %(most)s files. Delete an unused one first.")
        raise Refused(text % {"most": queries.MAX_FILES}, "file")
    # The file first, so that no item names a file that does not exist. A file without an item does no harm.
    stored = storage.name_for(business, picture.source, picture.extension)
    storage.put(stored, picture.content)
    storage.put(storage.thumbnail_of(stored), picture.thumbnail)
    asset = known or Asset.new(asset=storage.asset_id(business, picture.source))
    _set_attributes(asset, business, picture, stored, name, role)
    transaction = Transaction(command)
    _save_asset(transaction, asset, business, is_new=known is None)
    _save_link(transaction, asset, business, state.link)
    _record(transaction, "asset.upload", asset, business, after=_audit_values(asset))
    return transaction.commit(asset, {"what": UPLOADED if known is None else RESTORED})


def _set_attributes(asset: Asset, business: str, picture: Picture, stored: str, name: str, role: AssetRole) -> None:
    asset.type, asset.business_id, asset.asset_type = "ASSET", business, role.value
    asset.uri, asset.checksum = storage.uri_of(stored), f"sha256:{picture.checksum}"
    asset.name, asset.content_type = name or None, picture.content_type
    asset.width, asset.height, asset.size = picture.width, picture.height, len(picture.content)
    asset.colors = picture.colors or None


def _save_asset(transaction: Transaction, asset: Asset, business: str, *, is_new: bool = False) -> None:
    """Write the item of a file that is not deleted."""
    asset.deleted_at = asset.due_at = None
    if is_new:
        transaction.create(asset, on_failure=StaleRevision)
    else:
        transaction.save(
            asset,
            revision=asset.revision,
            condition=_belongs_to(business) & Asset.purging.does_not_exist(),
            on_failure=StaleRevision,
        )


def _save_link(transaction: Transaction, asset: Asset, business: str, known: AssetLink | None) -> None:
    """Write the entry of a file in the list of its business."""
    link = known or AssetLink.new(tenant=business, asset=asset.id)
    link.type, link.scope, link.asset_type, link.uri = "ASSET_LINK", "theme", asset.asset_type, asset.uri
    link.name, link.content_type = asset.name, asset.content_type
    link.width, link.height, link.size = asset.width, asset.height, asset.size
    link.colors = asset.colors
    if known is None:
        transaction.create(link, on_failure=StaleRevision)
    else:
        transaction.save(link, revision=link.revision, on_failure=StaleRevision)


@idempotent
def delete(business: str, asset: str, *, revision: int, command: Command) -> Asset:
    """Delete a file that no version uses, including versions that are saved at the same time."""
    return retry_on(
        StaleRevision, lambda: _delete(queries.asset_state(business, asset), business, asset, revision, command)
    )


def _delete(state: AssetState, business: str, name: str, revision: int, command: Command) -> Asset:
    asset = state.asset
    if asset is None:
        raise NotFound
    if asset.is_deleted or asset.revision != revision:
        raise Conflict(asset, _("This file is already deleted.") if asset.is_deleted else None)
    if asset.file_name is None:
        raise Refused(_("This file is stored by an outside service and can only be deleted there."))
    versions = versions_using(state, business, name)
    if versions:
        raise AssetInUse(versions)
    asset.deleted_at, asset.due_at = now(), now() + RESTORABLE_FOR
    transaction = Transaction(command)
    transaction.save(asset, revision=revision, condition=_belongs_to(business))
    if state.link is None:
        transaction.check(_link_key(business, name), AssetLink.pk.does_not_exist(), StaleRevision)
    else:
        transaction.remove(state.link.key, _usage_unchanged(state.link), StaleRevision)
    _record(transaction, "asset.delete", asset, business)
    return transaction.commit(asset)


def versions_using(state: AssetState, business: str, asset: str) -> list[int]:
    """The versions that use a file: those on its link, or else those of outside writers, who do not update the link."""
    known = state.link.used_by_versions if state.link else []
    # The link was read before: if one of our versions starts to use the file now, its `moves` changes.
    return known or [theme.number for theme in queries.themes_using(business, asset)]


def _usage_unchanged(link: AssetLink) -> Condition:
    revision: Any = link.usage_revision
    is_same = AssetLink.usage_revision.does_not_exist() if revision is None else AssetLink.usage_revision == revision
    return cast(Condition, AssetLink.pk.exists() & is_same)


@idempotent
def restore(business: str, asset: str, *, revision: int, command: Command) -> Asset:
    """Restore a deleted file."""
    state = queries.asset_state(business, asset)
    found = state.asset
    if found is None:
        raise NotFound
    if not found.is_deleted or found.purging or found.revision != revision:
        raise Conflict(found, _BEING_REMOVED if found.purging else None)
    return _restore(state, found, business, command)


def _restore(state: AssetState, asset: Asset, business: str, command: Command) -> Asset:
    transaction = Transaction(command)
    _save_asset(transaction, asset, business)
    _save_link(transaction, asset, business, state.link)
    _record(transaction, "asset.restore", asset, business, after=_audit_values(asset))
    return transaction.commit(asset)


def purge(asset: Asset) -> str:
    """Remove a deleted file permanently: mark the item so that it cannot be restored, remove the files, then the item.

    If it stops in between, the next run continues.
    """
    business, name = str(asset.business_id), asset.file_name
    command = Command(f"purge-{asset.id}-{asset.revision}", SYSTEM)
    if not asset.purging:
        themes = queries.themes_using(business, asset.id, limit=1)
        if themes:
            _restore(queries.asset_state(business, asset.id), asset, business, command)
            return f"restored: {themes[0].label} uses it"
        marks = [Asset.purging.set(1), Asset.stored_revision.set(asset.revision + 1)]
        deleted = Asset.deleted_at.exists() & (Asset.stored_revision == asset.revision)
        marked = write.update(asset.key, marks, deleted & Asset.purging.does_not_exist())
        if marked is None:
            raise Conflict(asset, _("Someone else saved first. It will be checked again."))
        asset = Asset.of(marked)
    if name is not None:
        storage.remove(storage.thumbnail_of(name))
        storage.remove(name)
    transaction = Transaction(command)
    transaction.delete(asset, revision=asset.revision, condition=Asset.purging.exists())
    _record(transaction, "asset.purge", asset, business)
    transaction.commit(None)
    return f"removed {name or 'nothing: an outside service stores it'}"


def _belongs_to(business: str) -> Condition:
    """The key of a file does not contain its business, so the condition does."""
    return cast(Condition, Asset.business_id == business)


def _link_key(business: str, asset: str) -> Any:
    return keys.ASSET_LINK.key(tenant=business, asset=asset)


def _audit_values(asset: Asset) -> dict[str, Any]:
    size = f"{int(asset.width)} × {int(asset.height)}" if asset.width and asset.height else ""
    return {"file": asset.title, "asset_type": asset.asset_type, "dimensions": size}


def _record(transaction: Transaction, action: str, asset: Asset, business: str, **states: Any) -> None:
    record(transaction, action, target=asset.id, kind="asset", title=asset.title, business=business, **states)
