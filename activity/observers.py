"""Logs what people do in the product and in the forum, from the changes of the main table.

So an action never waits for the log and never fails because of it, and what outside writers do is logged too. The id of
an event follows from the item, so that a change which is passed again is logged once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from activity import actions
from activity.events import Event, fold_user
from activity.queries.profiles import countries_of
from activity.services import LogStatus, log
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.observers import ObservedChange, observes
from dashboard.table import keys
from dashboard.table.attributes import from_attribute
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire

# What a moderator did, in the words of the moderation log, and the end of the action's name here.
_DECISIONS = {"ban": "banned", "restore": "restored", "delete": "deleted", "approve": "approved", "reopen": "reopened"}


@observes("session", "post", "comment", "moderation entry", "audit entry")
def log_changes(changes: Sequence[ObservedChange]) -> None:
    """Log the events in these changes, with the country of each person."""
    events = [event for each in changes for event in events_of(each.change, each.at)]
    if not events:
        return
    countries = countries_of({event.user for event in events})
    located = [_with_country(event, countries.get(event.user)) for event in events]
    for result in log(located):
        if result.status == LogStatus.UNAVAILABLE and result.error is not None:
            raise result.error


def events_of(change: Change, at: datetime) -> Iterator[Event]:
    """The events in one change; none if it is not one that is logged."""
    find = _EVENTS.get(change.kind or "")
    if find is not None and change.new is not None:
        yield from find(change, change.new, at)


def _sign_in(change: Change, new: Raw, at: datetime) -> Iterator[Event]:
    """A session begins; one that still waits for the code of the second factor is none."""
    if "stage" in new or change.old is not None:
        return
    parts = keys.SESSION.read(*change.key) or {}
    yield _event(change, actions.SIGN_IN, str(parts.get("email", "")), _time(new, "createdAt", at))


def _text(change: Change, new: Raw, at: datetime) -> Iterator[Event]:
    """Somebody wrote a post or a comment."""
    if change.old is not None:
        return
    action = actions.POST_CREATED if change.kind == "post" else actions.COMMENT_CREATED
    author, parts = _value(new, "userId"), (keys.POST.read(*change.key) or keys.COMMENT.read(*change.key) or {})
    metadata = {name: str(parts[name]) for name in ("post", "comment") if name in parts}
    yield _event(change, action, str(author or ""), _time(new, "createdAt", at), metadata=metadata)


def _decision(change: Change, new: Raw, at: datetime) -> Iterator[Event]:
    """A moderator decided about a post or a comment. Decisions of the filter are no action of a person."""
    parts = keys.MODERATION.read(*change.key) or {}
    ending, kind, admin = _DECISIONS.get(str(_value(new, "action"))), _value(new, "targetType"), str(parts["admin"])
    if change.old is not None or ending is None or kind not in ("post", "comment") or admin.startswith("profanity@"):
        return
    metadata = {"target": str(_value(new, "targetId") or "")}
    yield _event(change, f"{kind}_{ending}", admin, _time(new, "createdAt", at), metadata=metadata)


def _progress(change: Change, new: Raw, at: datetime) -> Iterator[Event]:
    """The staff marked rooms as completed for an attendee. The event service logs what attendees complete."""
    if change.old is not None or _value(new, "action") != "progress.complete":
        return
    target, before, after = (_value(new, name) or {} for name in ("target", "before", "after"))
    rooms = [room for room in after.get("progress") or () if room not in (before.get("progress") or ())]
    user, by = str(target.get("id", "")).partition(":")[2], (_value(new, "actor") or {}).get("email")
    for room in rooms:
        yield _event(
            change, actions.ROOM_COMPLETED, user, _time(new, "timestamp", at), room=str(room), metadata={"by": by}
        )


_EVENTS: dict[str, Callable[[Change, Raw, datetime], Iterator[Event]]] = {
    "session": _sign_in,
    "post": _text,
    "comment": _text,
    "moderation entry": _decision,
    "audit entry": _progress,
}


def _event(change: Change, action: str, user: str, at: datetime, **values: Any) -> Event:
    digest = hashlib.sha256(f"{action} {change.key.pk} {change.key.sk} {values.get('room', '')}".encode()).hexdigest()
    return Event(id=digest[:32], user=fold_user(user), at=at, action=action, **values)


def _with_country(event: Event, country: str | None) -> Event:
    return replace(event, country=country)


def _value(raw: Raw, name: str) -> Any:
    return from_attribute(raw[name]) if name in raw else None


def _time(raw: Raw, name: str, otherwise: datetime) -> datetime:
    """The time in an attribute; that of the record where an outside writer stored none."""
    try:
        return from_wire(raw[name]["S"])
    except (KeyError, ValueError, OverflowError):
        return otherwise
