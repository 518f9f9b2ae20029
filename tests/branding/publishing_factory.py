"""Drafts, publications, schedules and share links for the tests of publishing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from branding import queries
from branding.items import Publication, ShareLink, Theme
from branding.services import drafts, publishing, shares
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import connection, keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor, new_command
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import to_wire

OLIVIA = Actor("olivia@example.com", "Olivia Andrade")
BUSINESS = "andina"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
# A text colour with too little contrast.
LOW_CONTRAST = {"textColor": "#c8c8c8"}


def create_draft(business: str = BUSINESS, *, name: str = "", source: int | None = None, **values: str) -> Theme:
    return drafts.create(business, source=source, values=values, name=name, command=new_command(OLIVIA))


def publish(theme: Theme) -> None:
    """Publish it, whichever version is live."""
    publishing.publish(
        theme.business,
        theme.number,
        expected_live_version=live_version(theme.business),
        accept_low_contrast=True,
        command=new_command(OLIVIA),
    )


def create_published(business: str = BUSINESS, **values: Any) -> Theme:
    theme = create_draft(business, **values)
    publish(theme)
    return queries.load_theme(business, theme.number)


def live_version(business: str = BUSINESS) -> int | None:
    marker = queries.find_marker(business)
    return marker.number if marker else None


def put_item(key: Key, **attributes: Any) -> None:
    """Write an item as an outside writer does, without any check."""
    raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    raw |= {name: to_attribute(value) for name, value in attributes.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)


def audit_entries(business: str = BUSINESS, *actions: str) -> list[AuditEntry]:
    """The audit entries of a business, oldest first; only these actions if any are given."""
    entries = read.page(keys.AUDIT.collection(tenant=business), AuditEntry, limit=500, consistent=True).items
    return [entry for entry in entries if not actions or entry.action in actions]


def timeline(business: str = BUSINESS) -> list[Publication]:
    """The publications of a business, oldest first."""
    return list(reversed(queries.publications(business, limit=500).items))


def put_schedule(business: str, version: int, due_at: datetime, **attributes: Any) -> str:
    """Write a schedule without any check, and return its id in addresses."""
    key = keys.SCHEDULED.key(tenant=business, due_at=due_at, version=version)
    known = {"version": version, "dueAt": to_wire(due_at), "timezone": "America/Santiago", "createdBy": OLIVIA.email}
    due = {} if attributes.get("missed") else {"GSIStatusPK": "DUE", "GSIStatusSK": to_wire(due_at)}
    put_item(key, **known, **due, **attributes)
    return f"{to_wire(due_at)}_{version}"


def create_share_link(business: str, version: int, days: int = 7, note: str = "") -> tuple[ShareLink, str]:
    """Create a share link, and return it with its token."""
    command = new_command(OLIVIA)
    link = shares.create(business, version, days=days, note=note, command=command)
    return link, shares.token_of(link, command)


def put_share_link(business: str, version: int) -> str:
    """Write a share link without any check, and return its hash."""
    digest = hashlib.sha256(new_id().encode()).hexdigest()
    ends = int((now() + timedelta(days=7)).timestamp())
    put_item(keys.SHARE.key(tenant=business, version=version, hash=digest), version=version, ttl=ends)
    return digest


def put_many_versions(business: str, numbers: range) -> None:
    """Write versions with full bodies in batches."""
    client, table = connection.client(), connection.table().table_name
    for batch in _batches(25, numbers):
        puts: list[Any] = [{"PutRequest": {"Item": _raw_version(business, number)}} for number in batch]
        client.batch_write_item(RequestItems={table: puts})


def _batches(size: int, numbers: range) -> Iterator[list[int]]:
    all_numbers = list(numbers)
    yield from (all_numbers[start : start + size] for start in range(0, len(all_numbers), size))


def _raw_version(business: str, number: int) -> dict[str, Any]:
    key = keys.THEME.key(tenant=business, version=number)
    values = {"type": "THEME", "version": number, "status": "superseded", "name": f"Theme {number}"}
    more = {"metadata": {"primaryColor": "#123456", "story": "x" * 400}, "assets": []}
    raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    return raw | {name: to_attribute(value) for name, value in (values | more).items()}
