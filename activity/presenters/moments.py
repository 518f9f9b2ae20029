"""The people around a point in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from activity.actions import find_action
from activity.event_rooms import EventRooms
from activity.events import Event
from activity.moments import MomentParams
from activity.presenters.events import person_url


@dataclass(frozen=True)
class PresentPerson:
    """A person with their last event before the moment, and their first one after it."""

    user: str
    url: str
    events: int
    before: Event | None
    after: Event | None
    room: str

    @property
    def before_label(self) -> str:
        return str(find_action(self.before.action).label) if self.before else ""

    @property
    def after_label(self) -> str:
        return str(find_action(self.after.action).label) if self.after else ""


def present_people(events: Iterable[Event], params: MomentParams, event: EventRooms) -> list[PresentPerson]:
    """Those who did something before the moment come first: they were there."""
    by_user: dict[str, list[Event]] = {}
    for each in events:
        by_user.setdefault(each.user, []).append(each)
    people = [_person(user, sorted(own, key=lambda each: each.at), params, event) for user, own in by_user.items()]
    return sorted(people, key=lambda each: (each.before is None, each.user))


def _person(user: str, events: list[Event], params: MomentParams, event: EventRooms) -> PresentPerson:
    before = [each for each in events if each.at <= params.at]
    after = [each for each in events if each.at > params.at]
    rooms = [each.room for each in (before or after) if each.room]
    return PresentPerson(
        user,
        person_url(user),
        len(events),
        before[-1] if before else None,
        after[0] if after else None,
        event.title(rooms[-1]) if rooms else "",
    )
