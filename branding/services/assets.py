"""Files: uploaded, deleted while no version shows them, brought back, and in the end removed for good."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from branding import queries, storage
from branding.images import Picture
from branding.items import Asset, AssetLink, Role
from branding.queries import Kept
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, NotFound, Refused, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.table import keys, write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent, unchanged

# So long a deleted file can be brought back.
KEPT_FOR = timedelta(days=30)
# What an upload has come to.
NEW, BACK, HERE = "new", "back", "here"
_NAMED = 5
_GOING = _("This file is being removed for good at this moment. Send it again in a minute.")


class InUse(Refused):
    """Versions show the file; it stays."""

    def __init__(self, versions: list[int]) -> None:
        self.versions = versions
        named = ", ".join(f"v{number}" for number in versions[:_NAMED]) + (" …" if len(versions) > _NAMED else "")
        super().__init__(
            _("This file is shown by %(versions)s and stays. Choose another there first.") % {"versions": named}
        )


@idempotent
def upload(business: str, picture: Picture, *, name: str, role: Role, command: Command) -> Asset:
    """Keep a file. The same one again is the same asset: told as here already, or brought back if it was deleted."""
    return retry_on(StaleRevision, lambda: _upload(business, picture, name, role, command))


def _upload(business: str, picture: Picture, name: str, role: Role, command: Command) -> Asset:
    at = queries.find_file(business, storage.asset_id(business, picture.source))
    known = at.asset
    if known is not None and known.purging:
        raise Refused(_GOING, "file")
    if known is not None and not known.is_deleted and at.link and known.file_name and storage.is_there(known.file_name):
        return unchanged(known, {"what": HERE}, command)
    if at.link is None and queries.is_full(business):
        text = _("This business has %(most)s files, which is the most. Delete one that no version shows.")
        raise Refused(text % {"most": queries.MOST_FILES}, "file")
    # The file first: an item never names one that is not there. One that stays without an item harms nobody.
    stored = storage.name_for(business, picture.source, picture.extension)
    storage.put(stored, picture.content)
    storage.put(storage.thumbnail_of(stored), picture.thumbnail)
    asset = known or Asset.at(asset=storage.asset_id(business, picture.source))
    _describe(asset, business, picture, stored, name, role)
    transaction = Transaction(command)
    _keep(transaction, asset, business, is_new=known is None)
    _link(transaction, asset, business, at.link)
    _note(transaction, "asset.upload", asset, business, after=_facts(asset))
    return transaction.commit(asset, {"what": NEW if known is None else BACK})


def _describe(asset: Asset, business: str, picture: Picture, stored: str, name: str, role: Role) -> None:
    asset.type, asset.business_id, asset.asset_type = "ASSET", business, role.value
    asset.uri, asset.checksum = storage.uri_of(stored), f"sha256:{picture.checksum}"
    asset.name, asset.content_type = name or None, picture.content_type
    asset.width, asset.height, asset.size = picture.width, picture.height, len(picture.content)


def _keep(transaction: Transaction, asset: Asset, business: str, *, is_new: bool = False) -> None:
    """Write a file's item as one that is there."""
    asset.deleted_at = asset.due_at = None
    if is_new:
        transaction.create(asset, otherwise=StaleRevision)
    else:
        transaction.save(
            asset,
            revision=asset.revision,
            also=_own(business) & Asset.purging.does_not_exist(),
            otherwise=StaleRevision,
        )


def _link(transaction: Transaction, asset: Asset, business: str, known: AssetLink | None) -> None:
    """List a file among those of its business, with what the list shows of it."""
    link = known or AssetLink.at(tenant=business, asset=asset.id)
    link.type, link.scope, link.asset_type, link.uri = "ASSET_LINK", "theme", asset.asset_type, asset.uri
    link.name, link.content_type = asset.name, asset.content_type
    link.width, link.height, link.size = asset.width, asset.height, asset.size
    if known is None:
        transaction.create(link, otherwise=StaleRevision)
    else:
        transaction.save(link, revision=link.revision, otherwise=StaleRevision)


@idempotent
def delete(business: str, asset: str, *, revision: int, command: Command) -> Asset:
    """Take a file off the list, if no version shows it: not now, and not one that is saved at this very moment."""
    return retry_on(
        StaleRevision, lambda: _delete(queries.find_file(business, asset), business, asset, revision, command)
    )


def _delete(at: Kept, business: str, name: str, revision: int, command: Command) -> Asset:
    asset = at.asset
    if asset is None:
        raise NotFound
    if asset.is_deleted or asset.revision != revision:
        raise Conflict(asset, _("This file is deleted already.") if asset.is_deleted else None)
    if asset.file_name is None:
        raise Refused(_("Another service keeps this file: it can only be deleted there."))
    users = users_of(at, business, name)
    if users:
        raise InUse(users)
    asset.deleted_at, asset.due_at = now(), now() + KEPT_FOR
    transaction = Transaction(command)
    transaction.save(asset, revision=revision, also=_own(business))
    if at.link is None:
        transaction.check(_link_key(business, name), AssetLink.pk.does_not_exist(), StaleRevision)
    else:
        transaction.remove(at.link.key, _unmoved(at.link), StaleRevision)
    _note(transaction, "asset.delete", asset, business)
    return transaction.commit(asset)


def users_of(at: Kept, business: str, asset: str) -> list[int]:
    """The versions that show a file: those its link knows of, and those of other services, who tell it nothing."""
    known = at.link.users if at.link else []
    # After the link was read: whatever of ours comes to show the file from here on moves the link.
    return known or [theme.number for theme in queries.showing(business, asset)]


def _unmoved(link: AssetLink) -> Condition:
    same = AssetLink.moves.does_not_exist() if link.moves is None else AssetLink.moves == link.moves
    return cast(Condition, AssetLink.pk.exists() & same)


@idempotent
def restore(business: str, asset: str, *, revision: int, command: Command) -> Asset:
    """Bring back a file that was deleted."""
    at = queries.find_file(business, asset)
    found = at.asset
    if found is None:
        raise NotFound
    if not found.is_deleted or found.purging or found.revision != revision:
        raise Conflict(found, _GOING if found.purging else None)
    return _restore(at, found, business, command)


def _restore(at: Kept, asset: Asset, business: str, command: Command) -> Asset:
    transaction = Transaction(command)
    _keep(transaction, asset, business)
    _link(transaction, asset, business, at.link)
    _note(transaction, "asset.restore", asset, business, after=_facts(asset))
    return transaction.commit(asset)


def purge(asset: Asset) -> str:
    """Remove a deleted file for good: marked first, so that nobody brings it back from here on; then the files, then
    the item. Whoever breaks off in between is followed by the next run."""
    business, name = str(asset.business_id), asset.file_name
    command = Command(f"purge-{asset.id}-{asset.revision}", SYSTEM)
    if not asset.purging:
        shown = queries.showing(business, asset.id, most=1)
        if shown:
            _restore(queries.find_file(business, asset.id), asset, business, command)
            return f"{shown[0].label} came to show it: it is back"
        marks = [Asset.purging.set(1), Asset.stored_revision.set(asset.revision + 1)]
        deleted = Asset.deleted_at.exists() & (Asset.stored_revision == asset.revision)
        marked = write.touch(asset.key, marks, deleted & Asset.purging.does_not_exist())
        if marked is None:
            raise Conflict(asset, _("Someone else saved first: it is checked again."))
        asset = Asset.of(marked)
    if name is not None:
        storage.remove(storage.thumbnail_of(name))
        storage.remove(name)
    transaction = Transaction(command)
    transaction.delete(asset, revision=asset.revision, also=Asset.purging.exists())
    _note(transaction, "asset.purge", asset, business)
    transaction.commit(None)
    return f"removed {name or 'nothing: another service keeps it'}"


def _own(business: str) -> Condition:
    """A file's key does not say whose it is: the write does."""
    return cast(Condition, Asset.business_id == business)


def _link_key(business: str, asset: str) -> Any:
    return keys.ASSET_LINK.key(tenant=business, asset=asset)


def _facts(asset: Asset) -> dict[str, Any]:
    size = f"{int(asset.width)} × {int(asset.height)}" if asset.width and asset.height else ""
    return {"file": asset.title, "asset_type": asset.asset_type, "dimensions": size}


def _note(transaction: Transaction, action: str, asset: Asset, business: str, **states: Any) -> None:
    record(transaction, action, target=asset.id, kind="asset", title=asset.title, business=business, **states)
