"""What can become of a post or a comment: its state, what is done to it, and when that may be done. No table here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from dashboard.table.timestamps import TimestampAttribute, to_wire
from forum.items import ACTIVE, BANNED, DELETED, Comment, Post

_moment = TimestampAttribute().deserialize


class Action(StrEnum):
    BAN = "ban"
    RESTORE = "restore"
    DELETE = "delete"
    # It was looked at and stays: it leaves the queue, or waits in it again.
    APPROVE = "approve"
    REOPEN = "reopen"


@dataclass(frozen=True)
class State:
    """Where something stands. Two moderators who decide the same way leave different states: who and when count."""

    status: str = ACTIVE
    banned_at: datetime | None = None
    banned_by: str | None = None
    ban_reason: str | None = None
    ban_reason_id: str | None = None
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
        """As the log keeps it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: to_wire(v) if isinstance(v, datetime) else v for name, v in values.items() if v is not None}

    @classmethod
    def from_dict(cls, told: Any) -> State:
        """Whatever somebody may have put there."""
        given: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
        values = {name: value for name, value in given.items() if isinstance(value, str) and value}
        known: dict[str, Any] = {each.name: values.get(each.name) for each in fields(cls)}
        for name in ("banned_at", "reviewed_at"):
            known[name] = _moment(known[name]) if known[name] else None
        return cls(**known | {"status": known["status"] or ACTIVE})

    @property
    def is_active(self) -> bool:
        return self.status == ACTIVE


@dataclass(frozen=True)
class Reason:
    """Why: what people read, and the preset that says it in every language."""

    text: str = ""
    id: str = ""


def may(action: Action, state: State) -> bool:
    """Whether it makes sense now: what is banned cannot be banned again."""
    if action is Action.RESTORE:
        return not state.is_active
    if action is Action.DELETE:
        return state.status != DELETED
    if action is Action.REOPEN:
        return state.is_active and state.reviewed_at is not None
    if action is Action.APPROVE:
        return state.is_active and state.reviewed_at is None
    return state.is_active


def after(action: Action, state: State, by: str, at: datetime, reason: Reason) -> State:
    """What an action leaves. Whoever restores has looked at it: it does not wait for review again."""
    if action is Action.BAN:
        return State(BANNED, at, by, reason.text or None, reason.id or None, state.reviewed_at, state.reviewed_by)
    if action is Action.DELETE:
        return State(**{**_kept(state), "status": DELETED})
    if action is Action.REOPEN:
        return State()
    return State(reviewed_at=at, reviewed_by=by)


def _kept(state: State) -> dict[str, Any]:
    return {each.name: getattr(state, each.name) for each in fields(state)}


def between(before: State, now: State) -> Action:
    """The action that leads from one state to another: an undo stands in the log as what it does."""
    if now.status == BANNED:
        return Action.BAN
    if now.status == DELETED:
        return Action.DELETE
    if before.status != now.status:
        return Action.RESTORE
    return Action.APPROVE if now.reviewed_at else Action.REOPEN


# What an action leaves of the status, whoever wrote its entry.
LED_TO = {Action.BAN: BANNED, Action.DELETE: DELETED, Action.RESTORE: ACTIVE}


def came_from(action: str, reason: str | None) -> State:
    """What stood before an action whose entry does not say: the usual."""
    return State(BANNED, ban_reason=reason) if action == Action.RESTORE else State()
