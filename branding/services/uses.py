"""Which versions show a file: told on the file's link, in the transaction that changes the version."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from branding import queries
from branding.items import Asset, AssetLink, Theme
from dashboard.core.clock import now
from dashboard.core.errors import DomainError, Refused
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction

_GONE = _("This file is not there any more. Choose another.")
# Logo, banner and icon. A transaction has room for no more; whoever deletes looks into the versions themselves too.
_MOST = 3
# Longer than any transaction waits, from the reading of what it changes on.
_A_MOMENT = timedelta(minutes=10)


def follow(transaction: Transaction, theme: Theme, before: Iterable[str]) -> None:
    """Tell the files that a version shows, or no longer shows, until when it does.

    A file that is new to the version has to be the business's own, and there: one that is deleted at this very
    moment stops the transaction. Whatever another service put there before stays as it is.
    """
    had, has = set(before), set(theme.files)
    links = queries.links(theme.business, sorted(had | has))
    if has - had - links.keys():
        raise Refused(_GONE)
    ends = theme.expiry() or 0
    shown = [*theme.shown_files.values(), *sorted(has)]
    untold = [each for each in dict.fromkeys(shown) if each not in links or _says(links[each], theme) != ends]
    for asset in untold[:_MOST]:
        if asset in links:
            _note(transaction, links[asset], theme, ends)
        else:
            transaction.check(keys.ASSET.key(asset=asset), _not_just_deleted(theme.business), _gone)
    dropped = [each for each in sorted(links.keys() - has) if _says(links[each], theme) is not None]
    for asset in dropped[:_MOST]:
        _forget(transaction, links[asset], theme)


def _not_just_deleted(business: str) -> Condition:
    """Taken over from a version that was read a moment ago: meanwhile it may have let go of the file, and the file may
    have been deleted. One that has been gone for longer, or is another service's, stays as it is."""
    earlier = Asset.deleted_at < now() - _A_MOMENT
    return cast(Condition, Asset.deleted_at.does_not_exist() | earlier | (Asset.business_id != business))


def _says(link: AssetLink, theme: Theme) -> int | None:
    """Until when the link says that this version shows it; none where it says nothing."""
    used_by: Any = link.used_by
    found = used_by.get(str(theme.number)) if isinstance(used_by, dict) else None
    return int(found) if isinstance(found, int | float) else None


def _note(transaction: Transaction, link: AssetLink, theme: Theme, ends: int) -> None:
    used_by: Any = link.used_by
    there: Condition = AssetLink.used_by.exists()
    use = Path(["usedBy", str(theme.number)]).set(to_attribute(ends))
    if not isinstance(used_by, dict):
        there = AssetLink.used_by.does_not_exist()
        use = AssetLink.used_by.set({str(theme.number): ends})
    condition = cast(Condition, AssetLink.pk.exists() & there)
    transaction.update(link.key, [use, AssetLink.moves.add(1)], condition, _gone)


def _forget(transaction: Transaction, link: AssetLink, theme: Theme) -> None:
    use = Path(["usedBy", str(theme.number)]).remove()
    condition = cast(Condition, AssetLink.pk.exists() & AssetLink.used_by.exists())
    transaction.update(link.key, [use, AssetLink.moves.add(1)], condition, _gone)


def _gone(_item: Item | None) -> DomainError:
    return Refused(_GONE)
