"""The endpoint to which the apps of the event report what attendees do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext_lazy as _

from activity.events import BadEvent, Event, fold_user
from activity.room_states import mark_closed_rooms
from activity.services import LogResult, LogStatus, log
from dashboard.core.errors import Unavailable
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.web.api.endpoints import KeyOwner, Scope, endpoint
from dashboard.web.api.messages import Input, Message, described

MAX_EVENTS = 100


class NewEvent(Input, frozen=True):
    id: Annotated[str, described("1 to 64 letters, digits and hyphens, chosen by the app: it is logged once.")]
    user: Annotated[str, described("The e-mail address of the attendee.")]
    at: Annotated[str, described("When it happened, with an offset: at most 2 days ago. The same when it is repeated.")]
    action: Annotated[str, described("Such as `room_enter`, `room_completed`, `video_start` or `time_spent`.")]
    room: Annotated[str | None, described("The id of the room.")] = None
    country: Annotated[str | None, described("As in the profile of the attendee, such as `Chile`.")] = None
    metadata: Annotated[dict[str, Any], described("Further data, up to 2 KB of JSON.")] = {}


class NewEvents(Input, frozen=True):
    events: Annotated[list[NewEvent], msgspec.Meta(min_length=1, max_length=MAX_EVENTS)]


class EventResult(Message):
    id: str
    status: Annotated[LogStatus, described("`unavailable` may be sent again; `refused` is never accepted.")]
    code: Annotated[str | None, described("Why it was refused.")]
    field: str | None
    detail: str | None


class EventResults(Message):
    logged: int
    duplicates: int
    refused: int
    results: Annotated[list[EventResult], described("In the order of the request.")]


@endpoint(
    "POST",
    "activity",
    owner=KeyOwner.PLATFORM,
    scope=Scope.LOG,
    cost=4,
    needs_command=False,
    summary=_("Log what attendees do, up to 100 events at once"),
)
def log_activity(call: ApiCall, body: NewEvents) -> EventResults:
    read = [_read(each) for each in body.events]
    logged = iter(log(mark_closed_rooms([each for each in read if isinstance(each, Event)])))
    results = [
        next(logged) if isinstance(each, Event) else LogResult(_nameless(given), LogStatus.REFUSED, each)
        for given, each in zip(body.events, read, strict=True)
    ]
    unavailable = [each.error for each in results if isinstance(each.error, Unavailable)]
    if len(unavailable) == len(results):
        raise unavailable[0]
    statuses = [each.status for each in results]
    return EventResults(
        logged=statuses.count(LogStatus.LOGGED),
        duplicates=statuses.count(LogStatus.DUPLICATE),
        refused=statuses.count(LogStatus.REFUSED),
        results=[_result(given.id, each) for given, each in zip(body.events, results, strict=True)],
    )


def _read(given: NewEvent) -> Event | BadEvent:
    """The event; the error if its time cannot be read. Everything else is checked when it is logged."""
    try:
        at = datetime.fromisoformat(given.at)
        if at.tzinfo is None:
            raise ValueError(given.at)
        at = at.astimezone(UTC)
    except (ValueError, OverflowError):
        return BadEvent("at", "invalid_at", "This is no time with an offset, such as 2026-05-19T14:02:07.318Z.")
    return Event(
        id=given.id,
        user=fold_user(given.user),
        at=at.replace(microsecond=at.microsecond // 1000 * 1000),
        action=given.action,
        room=given.room,
        country=given.country,
        metadata=given.metadata,
    )


def _nameless(given: NewEvent) -> Event:
    return Event(id=given.id, user=given.user, at=datetime.min, action=given.action)


def _result(id: str, result: LogResult) -> EventResult:
    error = result.error
    return EventResult(
        id=id,
        status=result.status,
        code=error.code if isinstance(error, BadEvent) else None,
        field=error.field if isinstance(error, BadEvent) else None,
        detail=str(error) if error is not None else None,
    )
