"""The moderation state of a post or a comment. It does not read the table."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import to_wire
from forum.items import Comment, Post
from forum.statuses import ACTIVE


@dataclass(frozen=True)
class State:
    """Two moderators who decide the same leave different states: who decided and when are part of it."""

    status: str = ACTIVE
    banned_at: datetime | None = None
    banned_by: str | None = None
    ban_reason: str | None = None
    ban_reason_id: str | None = None
    deleted_by: str | None = None
    reviewed_at: datetime | None = None
    reviewed_by: str | None = None

    @classmethod
    def of(cls, item: Post | Comment) -> State:
        values = {each.name: getattr(item, each.name) for each in fields(cls)}
        return cls(**values | {"status": item.status or ACTIVE})

    def put(self, item: Post | Comment) -> None:
        for each in fields(self):
            setattr(item, each.name, getattr(self, each.name))

    def to_dict(self) -> dict[str, str]:
        """The form in which the log stores it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: to_wire(v) if isinstance(v, datetime) else v for name, v in values.items() if v is not None}

    @classmethod
    def from_dict(cls, stored: Any) -> State:
        given = StoredMap.of(stored)
        texts: dict[str, Any] = {each.name: given.text(each.name) or None for each in fields(cls)}
        moments = {name: given.moment(name) for name in ("banned_at", "reviewed_at")}
        return cls(**texts | moments | {"status": given.text("status") or ACTIVE})

    @property
    def is_active(self) -> bool:
        return self.status == ACTIVE


@dataclass(frozen=True)
class Reason:
    """The text that people read, and the id of the preset that has it in every language."""

    text: str = ""
    id: str = ""
