"""The next version of a page: the snapshot of the current one, the page, its card and its audit entry together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from content.items import Content, ContentCard, ContentVersion, PageSchedule
from content.queries.pages import load_page
from content.queries.versions import highest_version
from content.services.audit import record_page_change
from content.services.page_routes import RoutePlan, update_left_over
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, StaleRevision
from dashboard.table import keys, schema
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, report_unchanged

# What another save changes in any case.
_GUARDED = ("version", "revision", "updatedAt")


class _SnapshotExists(StaleRevision):
    """An outside writer has used the number of the snapshot before, for example by importing the page again."""


@dataclass
class PageChange:
    """What one action does to a page. `apply` changes it; the rest goes into the audit entry and the version."""

    action: str
    note: str = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    routes: RoutePlan | None = None
    restored_from: int | None = None
    # The schedule that is over with this change.
    schedule: PageSchedule | None = None
    # Changes of attributes that the class of pages does not know.
    more: Sequence[Action] = ()


def change_page(
    business: str, node: str, revision: int, command: Command, apply: Callable[[Content], PageChange | None]
) -> Content:
    """Load the page at the revision that the person saw, change it and save it as the next version.

    `apply` returns None if nothing changes. What others change at the same time is either a conflict, or the change is
    computed again.
    """
    taken_numbers = False

    def attempt() -> Content:
        nonlocal taken_numbers
        page = load_page(business, node)
        was_visible = page.state == PageStatus.PUBLISHED
        if page.revision != revision:
            raise Conflict(page)
        number = page.number
        if taken_numbers:
            number = max(number, highest_version(business, node) + 1)
        change = apply(page)
        if change is None:
            return report_unchanged(page, {}, command)
        change.result = {**(change.result or {}), "was_visible": was_visible}
        try:
            return _commit(page, number, change, command)
        except _SnapshotExists:
            taken_numbers = True
            raise

    return retry_on(StaleRevision, attempt)


def _commit(page: Content, number: int, change: PageChange, command: Command) -> Content:
    snapshot = _snapshot(page, number)
    page.version = number + 1
    page.stored_revision = max(int(page.stored_revision or 0), number) + 1
    page.updated_at, page.updated_by = now(), command.by.email
    page.updated_by_name = command.by.name or None
    page.version_action, page.version_note = change.action, change.note or None
    page.restored_from = change.restored_from
    transaction = Transaction(command)
    transaction.create(snapshot, on_failure=_SnapshotExists)
    transaction.save_unversioned(page, _is_as_read(page), _conflict_or_retry(page), more=change.more)
    put_card(transaction, page)
    if change.schedule is not None:
        transaction.delete(change.schedule, revision=change.schedule.revision, on_failure=StaleRevision)
    if change.routes is not None:
        change.routes.add_to(transaction, kept_free=1)
    record_page_change(transaction, change.action, page, change.before, change.after)
    saved = transaction.commit(page, change.result)
    if change.routes is not None and change.routes.left_over:
        # The page is saved, whatever becomes of these.
        with suppress(DomainError):
            update_left_over(str(page.key_parts["tenant"]), page.node, str(page.slug), change.routes, command)
    return saved


def _snapshot(page: Content, number: int) -> ContentVersion:
    """The page as it is stored, with every attribute, in the item that the service would write."""
    key = keys.CONTENT_VERSION.key(**page.key_parts, version=number)
    raw = {name: value for name, value in page.raw.items() if name not in _INDEX_KEYS}
    snapshot = ContentVersion.of(raw | {schema.PK: {"S": key.pk}, schema.SK: {"S": key.sk}})
    snapshot.extra_attributes, snapshot.moved_from = raw, page
    if page.version is not None and page.number != number:
        snapshot.version = number
    snapshot.snapshot_at = now()
    return snapshot


_INDEX_KEYS = frozenset(name for index in schema.INDEXES if index.sk for name in (index.pk, index.sk))


def _is_as_read(page: Content) -> Condition:
    condition: Condition = Content.pk.exists() & page.unchanged(*_GUARDED)
    return condition


def _conflict_or_retry(page: Content) -> Callable[[Item | None], DomainError]:
    """The follower repairs a revision without a new version: then the change is computed again."""
    seen = page.raw.get("version")

    def error(current: Item | None) -> DomainError:
        if current is not None and current.raw.get("version") == seen:
            return StaleRevision(current)
        return Conflict(current)

    return error


def put_card(transaction: Transaction, page: Content) -> None:
    """Write the card of a page as it is saved in the same transaction, whatever card there is."""
    card = ContentCard.new(**page.key_parts)
    card.copy_from(page)
    card.set_index_keys()
    values = card.serialize()
    actions: Sequence[Action] = [
        Path([name]).set(values[name]) if name in values else Path([name]).remove()
        for name in (str(attribute.attr_name) for attribute in ContentCard.get_attributes().values())
        if name not in (schema.PK, schema.SK)
    ]
    transaction.update(card.key, actions, None, Conflict)
