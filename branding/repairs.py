"""Repairs of what the branding service changed: our attributes come back, a live version stays final, and webhooks are
told about another live version.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from branding import tokens
from branding.items import PublishedMarker, Theme, ThemeStatus, statuses
from branding.webhooks import published_event
from dashboard.core.clock import now
from dashboard.platform.outbox.items import outside_event
from dashboard.platform.stream.changes import AttributeValue, Change, Write
from dashboard.platform.stream.lost_attributes import lost_attributes
from dashboard.platform.stream.rules import repairs_of
from dashboard.table import schema

# Without `timeToArchive`: what the service has just written does not expire at our date.
_OUR_ATTRIBUTES = ("name", "madeFrom", "createdAt", "createdByName", "firstPublishedAt")


@repairs_of("theme")
def repair_theme(change: Change, _: None) -> Iterator[Write]:
    theme = change.new_item
    if not isinstance(theme, Theme):
        return
    names = list(_OUR_ATTRIBUTES)
    if "assets" not in change.changed:
        names.append("assetRoles")
    status = statuses.parse(theme.status)
    if status == ThemeStatus.DRAFT:
        # The service has no status for a discarded version. One that it publishes is no longer discarded.
        names.append("discardedAt")
    lost = lost_attributes(change, names)
    values: dict[str, AttributeValue | None] = {**lost}
    restored = Theme.of({**theme.raw, **lost})
    live = next((each for each in (theme, change.old_item) if _is_live(each)), None)
    if live is not None and not restored.first_published_at:
        # When the service publishes another version, this one becomes a draft again: it must not be edited here.
        published_at = live.published_at or live.updated_at or now()
        values["firstPublishedAt"] = {"S": Theme.first_published_at.serialize(published_at)}
    if schema.TTL in theme.raw and (live is not None or restored.first_published_at):
        # It was a draft of ours, which DynamoDB would delete.
        values[schema.TTL] = None
    if values:
        yield Write(change.key, values)


def _is_live(item: object) -> TypeGuard[Theme]:
    return isinstance(item, Theme) and statuses.parse(item.status) == ThemeStatus.PUBLISHED


@repairs_of("published marker")
def report_publication(change: Change, loaded: None) -> Iterator[Write]:
    """The version that is reported is noted in the same transaction, so that each change has one event."""
    marker, old = change.new_item, change.old_item
    if not change.is_from_stream or not isinstance(marker, PublishedMarker) or marker.number is None:
        return
    previous = tokens.to_version(marker.reported_version or marker.described_version)
    if previous is None and isinstance(old, PublishedMarker):
        # A Put without our attributes.
        previous = old.number
    if marker.number == previous:
        return
    event = published_event(marker.number, previous)
    business = str(marker.key_parts["tenant"])
    yield Write.of_new(outside_event(business, event.type, event.object, dict(event.data)))
    marker.reported_version = marker.number
    yield Write.of_changed(marker, ["version"])
