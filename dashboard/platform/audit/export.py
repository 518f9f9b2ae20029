"""A trail as CSV. Other programs read the columns, which docs/audit.md describes."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC
from typing import Any

from dashboard.platform.audit import queries
from dashboard.platform.audit.diff import changes
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import AuditFilter
from dashboard.platform.audit.sentences import as_json, as_text, history_line
from dashboard.table.masking import masked_content
from dashboard.table.timestamps import to_wire
from dashboard.web.downloads import BOM, as_csv

COLUMNS = (
    "time",
    "scope",
    "actor_email",
    "actor_name",
    "action",
    "sentence",
    "target_type",
    "target_id",
    "target_title",
    "changes",
    "before",
    "after",
    "operation",
    "entry",
    "request",
)
AT_ONCE = 250


def lines(business: str, filters: AuditFilter) -> Generator[str]:
    """The lines of the file, one page of the trail at a time."""
    start_key: Any = None
    head = BOM + as_csv([COLUMNS])
    while True:
        found = queries.trail(business, filters, start_key, limit=AT_ONCE, max_requests=1)
        yield head + as_csv(map(as_text, _row(entry)) for entry in found.items)
        start_key, head = found.next_start_key, ""
        if start_key is None:
            return


def _row(entry: AuditEntry) -> tuple[object, ...]:
    actor, target, line = entry.person, entry.target_data, history_line(entry)
    return (
        to_wire(entry.moment.astimezone(UTC)) if entry.moment else "",
        entry.scope or entry.pk,
        actor.get("email"),
        actor.get("name"),
        entry.action,
        line.what,
        target.get("type"),
        target.get("id"),
        target.get("title"),
        "; ".join(f"{each.label}: {each.before.text or '–'} → {each.after.text or '–'}" for each in changes(entry)),
        as_json(masked_content(entry.before)) if entry.before else "",
        as_json(masked_content(entry.after)) if entry.after else "",
        entry.operation,
        "_".join(entry.place) if entry.place else "",
        entry.request_id,
    )
