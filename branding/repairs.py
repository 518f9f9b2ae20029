"""Repairs of the live version: an outside writer that changes it is reported to webhooks."""

from __future__ import annotations

from collections.abc import Iterator

from branding import tokens
from branding.items import PublishedMarker
from branding.webhooks import published_event
from dashboard.platform.outbox.items import outside_event
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.rules import repairs_of


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
