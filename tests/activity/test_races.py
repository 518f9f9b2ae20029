"""Many writers, lost replies and collisions: each event is logged once and the counters are exact."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta

import pytest

from activity.events import Event
from activity.queries import hour_counts, now_counts, person_events
from activity.services import LogResult, LogStatus, log
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, collide, lose_reply, lose_request, throttle

pytestmark = [pytest.mark.usefixtures("log_tables"), real_engines]


def events_of(user: str, number: int) -> list[Event]:
    at = now()
    return [
        Event(id=new_id(), user=user, at=at, action="video_start", room=f"sala{n % 3}", country="Chile")
        for n in range(number)
    ]


def log_until_done(events: list[Event]) -> Counter[str]:
    """Repeat what is unavailable, as a program does; count the statuses of all attempts."""
    statuses: Counter[str] = Counter()
    while events:
        results: list[LogResult] = log(events)
        statuses.update(each.status for each in results)
        events = [each.event for each in results if each.status == LogStatus.UNAVAILABLE]
    return statuses


def counted() -> int:
    by_minute = now_counts()
    hours = hour_counts(now() - timedelta(hours=2), now() + timedelta(hours=1))
    assert by_minute.events == sum(hour.events for hour in hours) == sum(by_minute.by_room.values())
    return by_minute.events


def stored(user: str) -> int:
    """The number of events in the person's timeline."""
    found, start_key = 0, None
    while True:
        page = person_events(user, now() - timedelta(hours=1), now() + timedelta(hours=1), start_key, limit=100)
        found += len(page.items)
        start_key = page.next_start_key
        if start_key is None:
            return found


def test_one_batch_from_many_programs_at_once_is_logged_once(table: str) -> None:
    events = events_of("ana@empresa.test", 30)
    threads = [threading.Thread(target=log_until_done, args=(list(events),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored("ana@empresa.test") == counted() == 30


def test_lost_replies_neither_lose_nor_repeat_events(table: str) -> None:
    batches = [events_of(f"p{n}@empresa.test", 20) for n in range(8)]
    with bad_network() as network:
        for chance, fault in ((0.15, lose_reply), (0.1, lose_request), (0.1, collide), (0.05, throttle)):
            network.add_random_fault(chance, fault)
        network.add_random_fault(0.05, act_then_break)
        threads = [threading.Thread(target=log_until_done, args=(batch,)) for batch in batches]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert network.faults > 5
        network.stop_faults()
    assert sum(stored(f"p{n}@empresa.test") for n in range(8)) == counted() == 160


def test_overlapping_batches_count_each_event_once(table: str) -> None:
    events = events_of("ana@empresa.test", 40)
    batches = [events[start : start + 20] for start in range(0, 40, 5)]
    threads = [threading.Thread(target=log_until_done, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored("ana@empresa.test") == counted() == 40
