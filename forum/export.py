"""The moderation log as CSV. The columns are documented in docs/moderation-log.md: other programs read them."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC
from typing import Any

from dashboard.platform.audit.sentences import as_json, as_text
from dashboard.platform.configs import queries as configs
from dashboard.table import read
from dashboard.table.masking import masked_content
from dashboard.table.timestamps import to_wire
from dashboard.web.downloads import BOM, as_csv
from forum.configs.reasons import REASONS
from forum.items import ModerationEntry
from forum.log_presenters import reason_in_words, who_did
from forum.queries.log import LogFilter
from forum.reasons import ReasonChoices
from forum.statistics.counted_entries import log_entries

COLUMNS = (
    "time",
    "action",
    "moderator",
    "moderator_name",
    "target_type",
    "target_id",
    "post_id",
    "author",
    "author_name",
    "content",
    "reason",
    "reason_id",
    "score",
    "written_at",
    "operation",
    "undoes",
    "metadata",
    "entry",
)
AT_ONCE = 250


def lines(filters: LogFilter) -> Generator[str]:
    """The lines of the file; the log is read page by page."""
    start_key: Any = None
    head = BOM + as_csv([COLUMNS])
    presets = read.in_background(lambda: configs.current(REASONS))
    while True:
        found = log_entries(filters, start_key, limit=AT_ONCE, max_requests=1)
        reasons = ReasonChoices.of(presets.result())
        yield head + as_csv(map(as_text, _row(entry, reasons)) for entry in found.items)
        start_key, head = found.next_start_key, ""
        if start_key is None:
            return


def _row(entry: ModerationEntry, reasons: ReasonChoices) -> tuple[object, ...]:
    about = entry.details
    return (
        to_wire(entry.moment.astimezone(UTC)) if entry.moment else "",
        entry.action,
        entry.admin_id,
        who_did(entry),
        entry.target_type,
        entry.target_id,
        about.get("postId"),
        about.get("userId"),
        about.get("userName"),
        entry.original_content,
        reason_in_words(entry, reasons),
        entry.reason_id,
        about.get("score"),
        about.get("createdAt"),
        entry.operation,
        about.get("undoes"),
        as_json(masked_content(about)) if about else "",
        entry.address,
    )
