"""A business with a look, as the tests of what happens to it later need one."""

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
# Text that too little contrast.
FAINT = {"textColor": "#c8c8c8"}


def draft(business: str = BUSINESS, *, name: str = "", source: int | None = None, **values: str) -> Theme:
    return drafts.create(business, source=source, values=values, name=name, command=new_command(OLIVIA))


def publish(theme: Theme) -> None:
    """Over whatever is live."""
    publishing.publish(
        theme.business,
        theme.number,
        expected_live_version=live_version(theme.business),
        accept_low_contrast=True,
        command=new_command(OLIVIA),
    )


def published(business: str = BUSINESS, **values: Any) -> Theme:
    made = draft(business, **values)
    publish(made)
    return queries.load_theme(business, made.number)


def live_version(business: str = BUSINESS) -> int | None:
    marker = queries.find_marker(business)
    return marker.number if marker else None


def put(key: Key, **attributes: Any) -> None:
    """An item as another service writes it, past every rule."""
    raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    raw |= {name: to_attribute(value) for name, value in attributes.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)


def trail(business: str = BUSINESS, *actions: str) -> list[AuditEntry]:
    """What was done in a business, the oldest first; of these actions where some are named."""
    found = read.page(keys.AUDIT.collection(tenant=business), AuditEntry, limit=500, consistent=True).items
    return [entry for entry in found if not actions or entry.action in actions]


def timeline(business: str = BUSINESS) -> list[Publication]:
    """What was put in force, the oldest first."""
    return list(reversed(queries.publications(business, limit=500).items))


def put_schedule(business: str, version: int, due_at: datetime, **attributes: Any) -> str:
    """Set for a moment past every rule; how an address names it."""
    key = keys.SCHEDULED.key(tenant=business, due_at=due_at, version=version)
    known = {"version": version, "dueAt": to_wire(due_at), "timezone": "America/Santiago", "createdBy": OLIVIA.email}
    due = {} if attributes.get("missed") else {"GSIStatusPK": "DUE", "GSIStatusSK": to_wire(due_at)}
    put(key, **known, **due, **attributes)
    return f"{to_wire(due_at)}_{version}"


def a_link(business: str, version: int, days: int = 7, note: str = "") -> tuple[ShareLink, str]:
    """A link, and what stands in its address."""
    command = new_command(OLIVIA)
    link = shares.create(business, version, days=days, note=note, command=command)
    return link, shares.token_of(link, command)


def put_link(business: str, version: int) -> str:
    """A link that nobody has: by what an address names it."""
    digest = hashlib.sha256(new_id().encode()).hexdigest()
    ends = int((now() + timedelta(days=7)).timestamp())
    put(keys.SHARE.key(tenant=business, version=version, hash=digest), version=version, ttl=ends)
    return digest


def many_versions(business: str, numbers: range) -> None:
    """Versions with whole bodies, as fast as the table takes them."""
    client, table = connection.client(), connection.table().table_name
    for batch in _by(25, numbers):
        puts: list[Any] = [{"PutRequest": {"Item": _raw_version(business, number)}} for number in batch]
        client.batch_write_item(RequestItems={table: puts})


def _by(size: int, numbers: range) -> Iterator[list[int]]:
    whole = list(numbers)
    yield from (whole[start : start + size] for start in range(0, len(whole), size))


def _raw_version(business: str, number: int) -> dict[str, Any]:
    key = keys.THEME.key(tenant=business, version=number)
    values = {"type": "THEME", "version": number, "status": "superseded", "name": f"Look {number}"}
    more = {"metadata": {"primaryColor": "#123456", "story": "x" * 400}, "assets": []}
    raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    return raw | {name: to_attribute(value) for name, value in (values | more).items()}
