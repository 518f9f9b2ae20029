"""Record which versions use a file: on its link, in the transaction that changes the version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from branding import queries
from branding.items import Asset, AssetLink, AssetRole, Theme
from dashboard.core.clock import now
from dashboard.core.errors import DomainError, Refused, StaleRevision
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction

_DELETED = _("This file no longer exists. Choose another.")
# Logo, banner and icon: a transaction has no room for more. Deleting therefore also reads the versions.
_MAX_FILES = 3
# Longer than any transaction takes from its first read to its commit.
_RECENT = timedelta(minutes=10)


def record_usage(transaction: Transaction, theme: Theme, before: Iterable[str]) -> dict[str, str]:
    """Record until when a version uses each of its files, and remove it from the files it no longer uses.

    Returns the names of the files by their ids.

    A file that is new to the version has to exist in the business: one that is deleted at the same time stops the
    transaction. Files that an outside writer put into the version stay.
    """
    previous, current = set(before), set(theme.asset_ids)
    links = queries.asset_links_by_id(theme.business, sorted(previous | current))
    if current - previous - links.keys():
        raise Refused(_DELETED)
    ends = theme.expiry() or 0
    used = [*theme.assets_by_role.values(), *sorted(current)]
    unrecorded = [
        asset for asset in dict.fromkeys(used) if asset not in links or links[asset].recorded_end(theme.number) != ends
    ]
    for asset in unrecorded[:_MAX_FILES]:
        if asset in links:
            _add_version(transaction, links[asset], theme, ends)
        else:
            transaction.check(keys.ASSET.key(asset=asset), _not_recently_changed(theme.business), _file_changed)
    removed = [each for each in sorted(links.keys() - current) if links[each].recorded_end(theme.number) is not None]
    for asset in removed[:_MAX_FILES]:
        _remove_version(transaction, links[asset], theme)
    return {asset: link.title for asset, link in links.items()}


def with_file_names(values: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Audit values with the names of the files. Two files with one name are distinguished by the end of their ids."""
    unique = {asset: name for asset, name in names.items() if list(names.values()).count(name) == 1}
    return {
        name: unique.get(value) or (f"{names[value]} ({value[-6:]})" if value in names else value)
        if name in set(AssetRole)
        else value
        for name, value in values.items()
    }


def _not_recently_changed(business: str) -> Condition:
    """The file comes from a version that was read a moment ago, and it has no link.

    Since then someone may have deleted it, or deleted and restored it: then it has a link again, which must list this
    version. A file that was deleted earlier, or that belongs to an outside writer, is accepted.
    """
    earlier = Asset.updated_at < now() - _RECENT
    return cast(Condition, Asset.stored_revision.does_not_exist() | earlier | (Asset.business_id != business))


def _add_version(transaction: Transaction, link: AssetLink, theme: Theme, ends: int) -> None:
    stored: dict[str, Any] | None = link.used_by
    map_exists: Condition = AssetLink.used_by.exists()
    use = Path(["usedBy", str(theme.number)]).set(to_attribute(ends))
    if stored is None:
        map_exists = AssetLink.used_by.does_not_exist()
        use = AssetLink.used_by.set({str(theme.number): ends})
    condition = cast(Condition, AssetLink.pk.exists() & map_exists)
    transaction.update(link.key, [use, AssetLink.usage_revision.add(1)], condition, _file_missing)


def _remove_version(transaction: Transaction, link: AssetLink, theme: Theme) -> None:
    use = Path(["usedBy", str(theme.number)]).remove()
    condition = cast(Condition, AssetLink.pk.exists() & AssetLink.used_by.exists())
    transaction.update(link.key, [use, AssetLink.usage_revision.add(1)], condition, _file_missing)


def _file_missing(_item: Item | None) -> DomainError:
    return Refused(_DELETED)


def _file_changed(item: Item | None) -> DomainError:
    """The service tries again if the file was restored."""
    is_restored = isinstance(item, Asset) and not item.is_deleted
    return StaleRevision(text=_("A file was restored meanwhile. Try again.")) if is_restored else Refused(_DELETED)
