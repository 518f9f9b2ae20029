"""Simulated attendees who enter rooms, watch and leave, for the live page."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from datetime import timedelta

from activity.demo.journeys import Journey, Visitor
from activity.events import Event
from activity.room_states import mark_closed_rooms
from activity.services import LogStatus, log
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.demos.traffic import register_traffic
from rooms.public import load_plans

_COUNTRIES = ("Colombia", "México", "Chile", "Perú", "Uruguay", "El Salvador")


class ActivityTraffic:
    """Each person goes through the rooms in order; who leaves comes back later."""

    def __init__(self, people: list[str], seed: int | None) -> None:
        self._chance = random.Random(seed)
        self._visitors = [Visitor(user, self._chance.choice(_COUNTRIES)) for user in people]
        self._waiting: dict[str, deque[Event]] = {}
        self._rooms = sorted(room for room, plan in load_plans().items() if plan.open_at is not None)

    def play_event(self) -> bool:
        """One person does the next thing; returns whether it was logged."""
        visitor = self._chance.choice(self._visitors)
        events = self._waiting.setdefault(visitor.user, deque())
        if not events:
            past = now() - timedelta(days=1)
            openings = dict.fromkeys(self._rooms, past - timedelta(days=1))
            events += Journey(visitor, past, openings, self._chance).events()
        event = replace(events.popleft(), id=new_id(), at=now())
        return [result.status for result in log(mark_closed_rooms([event]))] == [LogStatus.LOGGED]


register_traffic(ActivityTraffic)
