"""What attendees of the demo do: they sign in, and go from room to room until they leave."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from activity import actions
from activity.events import Event
from dashboard.platform.accounts.items import Person
from dashboard.table import keys, read

# The share of the visitors of a room who complete it, and of those who go on to the next one.
_COMPLETE, _GO_ON = 0.72, 0.82
# Who comes before a room opens tries it, and waits.
_WAIT = timedelta(minutes=6)


@dataclass(frozen=True)
class Visitor:
    user: str
    country: str | None


def visitors(number: int) -> list[Visitor]:
    """The first attendees that the demo has registered."""
    people = read.page(keys.PEOPLE_BY_AGE.collection(), Person, attributes=["country"], limit=number).items
    return [Visitor(str(person.key_parts["email"]), person.country or None) for person in people]


@dataclass
class Journey:
    """The events of one visitor on one day. The same chance makes the same journey."""

    visitor: Visitor
    starts: datetime
    # When each room opens, in the order in which people visit them.
    openings: Mapping[str, datetime]
    chance: random.Random

    def events(self) -> Iterator[Event]:
        self._at, self._number = self.starts, 0
        yield self._event(actions.SIGN_IN)
        for room, opens in self.openings.items():
            self._pass(20, 90)
            if self._at < opens:
                yield self._event(actions.ROOM_ENTER, room, open=False)
                if self.chance.random() < 0.4:
                    return
                self._at = opens + _WAIT * self.chance.random()
            yield self._event(actions.ROOM_ENTER, room)
            yield from self._visit(room)
            if self.chance.random() > _GO_ON:
                return

    def _visit(self, room: str) -> Iterator[Event]:
        if self.chance.random() < 0.9:
            self._pass(5, 60)
            yield self._event(actions.VIDEO_START, room)
        seconds = self.chance.randint(60, 1500)
        self._pass(seconds, seconds)
        yield self._event(actions.TIME_SPENT, room, duration=seconds)
        if self.chance.random() < _COMPLETE:
            self._pass(2, 20)
            yield self._event(actions.ROOM_COMPLETED, room)

    def _pass(self, shortest: int, longest: int) -> None:
        self._at += timedelta(seconds=self.chance.randint(shortest, longest), milliseconds=self.chance.randint(0, 999))

    def _event(self, action: str, room: str | None = None, **metadata: object) -> Event:
        self._number += 1
        name = f"demo-{self.starts:%Y%m%d%H%M}-{self._number}-{self.chance.randrange(16**6):06x}"
        at = self._at.replace(microsecond=self._at.microsecond // 1000 * 1000)
        return Event(name, self.visitor.user, at, action, room, self.visitor.country, metadata)


def day_of_event(
    people: Sequence[Visitor],
    opens: datetime,
    hours: float,
    rooms: Mapping[str, datetime],
    *,
    arrivals: tuple[float, float] = (1.2, 2.6),
) -> list[Event]:
    """The events of a day on which people arrive during these hours; `arrivals` shapes the distribution (beta)."""
    chance = random.Random(f"activity {opens:%Y-%m-%d}")
    found: list[Event] = []
    for visitor in people:
        late = timedelta(hours=min(hours * chance.betavariate(*arrivals), hours), minutes=-20)
        found += Journey(visitor, opens + late, rooms, chance).events()
    return sorted(found, key=lambda event: event.at)
