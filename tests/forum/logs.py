"""Raw entries of the moderation log with any time and content, and the entries that a page shows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.test import Client

from dashboard.table.timestamps import to_wire
from forum.items import ModerationEntry
from tests.audit.entries import pages, put, put_all, rows, utc
from tests.ui.html import Element

__all__ = ["pages", "put", "put_all", "raw_log_entry", "rows", "utc"]
FILTER_ID = "profanity@v00000003"


def raw_log_entry(
    at: datetime | str,
    id: str,
    *,
    action: str = "ban",
    admin: str = "marco@example.com",
    name: str = "Marco Peña",
    target: str = "",
    comment_of: str = "",
    author: str | None = "ana@example.com",
    operation: str = "",
    content: str = "",
    created: str = "",
    day: str = "",
    **more: Any,
) -> dict[str, Any]:
    """One raw entry as a decision writes it. Its content contains its id, so that tests find it on a page."""
    when = to_wire(at) if isinstance(at, datetime) else at
    entry = ModerationEntry.new(date=day or when[:10], at=when, admin=admin, action=id)
    entry.action, entry.admin_id = action, admin
    entry.admin_name = None if admin.startswith("profanity@") else name
    entry.target_type, entry.target_id = "comment" if comment_of else "post", target or f"t-{id}"
    entry.original_content, entry.operation = content or f"text-{id}", operation or f"op-{id}"
    entry.reason, entry.reason_id = more.pop("reason", "Spam or advertising"), more.pop("reason_id", "spam")
    about = {"userId": author, "postId": comment_of or entry.target_id, "createdAt": created or None, **more}
    entry.metadata = {key: value for key, value in about.items() if value is not None}
    entry.set_index_keys()
    wire: dict[str, Any] = entry.serialize(null_check=False)
    return wire


def shown_ids(page: Element) -> list[str]:
    """The ids of the entries that a page shows."""
    return [row.by_class("log-text")[0].text.removeprefix("text-") for row in rows(page)]


def listed_ids(browser: Client, url: str) -> list[str]:
    """The ids of the entries on all pages of a list."""
    return [id for page in pages(browser, url) for id in shown_ids(page)]
