"""Endpoints of the rooms, for keys of the platform."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.web.api.endpoints import KeyOwner, Scope, endpoint
from dashboard.web.api.messages import Message, Moment, described
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.queries.rooms import MAX_ROOMS
from rooms.state import StateReason


class RoomBody(Message):
    id: str
    name: str
    is_open: bool
    reason: Annotated[
        StateReason, described("Whether the schedule or a person decides; `nothing`: neither, and it is closed.")
    ]
    changes_at: Annotated[Moment | None, described("When it opens or closes next; null if nothing is planned.")]
    open_at: Moment | None
    close_at: Moment | None
    override: Annotated[str | None, described("`open` or `closed` while a person overrides the schedule.")]
    override_until: Moment | None
    content_title: str | None


class RoomList(Message):
    rooms: Annotated[list[RoomBody], described("In natural order, all of them up to a thousand.")]


@endpoint("GET", "rooms", owner=KeyOwner.PLATFORM, scope=Scope.READ, summary=_("The rooms, and whether they are open"))
def rooms(call: ApiCall) -> RoomList:
    moment = now()
    return RoomList([_body(each, moment) for each in queries.all_rooms()[:MAX_ROOMS]])


@endpoint(
    "GET",
    "rooms/<str:room>",
    owner=KeyOwner.PLATFORM,
    scope=Scope.READ,
    has_etag=True,
    summary=_("A room, and whether it is open"),
)
def room(call: ApiCall, room: str) -> RoomBody:
    found = queries.load_room(room).room
    call.answer_revision = found.revision
    return _body(found, now())


def _body(room: Room, moment: datetime) -> RoomBody:
    state, override = room.plan.state_at(moment), room.plan.active_override(moment)
    return RoomBody(
        id=room.id,
        name=room.title,
        is_open=state.is_open,
        reason=state.reason,
        changes_at=state.next.at if state.next else None,
        open_at=room.open_at,
        close_at=room.close_at,
        override=override,
        override_until=room.plan.override_end if override else None,
        content_title=room.content_title,
    )
