"""What all changes of items of a site share: what the person saw, the audit entry, the markers of the public site."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from content.items import LibraryItem
from content.library.digests import digest_of
from content.library.kind import LibraryKind
from content.library.kinds import PRODUCTS
from content.queries.library import target_of
from content.services.markers import put_markers_if_possible
from dashboard.core.errors import Conflict, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.table.commands import Command
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, find_done

P = ParamSpec("P")
R = TypeVar("R")


def again_if_copies_changed(service: Callable[P, R]) -> Callable[P, R]:
    """Read and try again if the website service wrote a copy of the product in between."""

    @functools.wraps(service)
    def attempt(*args: P.args, **kwargs: P.kwargs) -> R:
        return retry_on(StaleRevision, lambda: service(*args, **kwargs))

    return attempt


def ensure_seen(item: LibraryItem, revision: int, digest: str) -> None:
    """The person saw this content. Only a button of a new item sends no digest: nobody else has its revision."""
    if digest_of(item) != digest and (digest or not revision):
        raise Conflict(item)


def done_of(of: str, command: Command) -> Any:
    """The record of another command of the same person."""
    try:
        return find_done(Command(of, command.by))
    except ValueError:
        return None


def record_change(
    transaction: Transaction,
    kind: LibraryKind,
    action: str,
    item: LibraryItem,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    item_id, business = kind.id_of(item), str(item.key_parts["tenant"])
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


def after_commit(kind: LibraryKind) -> None:
    """The public site shows products."""
    if kind is PRODUCTS:
        put_markers_if_possible()
