"""Items of every kind with a rule, put raw while the follower runs: they are under their keys within seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from bookings.queries import bookings
from dashboard.platform.adoption.queries import find_unknown_business
from dashboard.platform.adoption.unknown_ids import forget_recorded
from dashboard.platform.businesses.queries import find_addresses
from dashboard.platform.stream.follower import Follower
from dashboard.table import keys
from dashboard.table.items import Raw, key_of
from tests.conftest import real_engines
from tests.outside_kinds import FACTORIES, TENANT
from tests.stream.helpers import wrong_keys
from tests.table.notes import load_raw, put
from tests.tables import SharedTable

SECONDS = 5.0


@pytest.fixture
def running_follower(stream_table: SharedTable) -> Iterator[None]:
    forget_recorded()  # Of the table of another test.
    follower, stop = Follower(), threading.Event()
    thread = threading.Thread(target=lambda: list(follower.watch(stop, 0.1)))
    thread.start()
    yield
    stop.set()
    thread.join()
    follower.release()


def misplaced(raws: list[Raw]) -> list[Raw]:
    return [raw for raw in (load_raw(key_of(raw)) or {} for raw in raws) if not raw or wrong_keys(raw)]


def is_complete(name: str, serial: int) -> bool:
    """What the rules add: the pointer and the status of a booking, a reserved slug, a score, a found business."""
    ref = bookings.find_pointer(TENANT, name)
    booking = next(load_raw(key_of(f(name, serial))) for f in FACTORIES if f.__name__ == "_booking")
    slug = keys.SLUG.key(slug=name)
    comment = load_raw(keys.COMMENT.key(post=name, comment=f"c-{name}")) or {}
    return (
        ref is not None
        and booking is not None
        and {"S": ref.status} == booking["status"]
        and find_addresses([slug])[slug] is not None
        and "profanityScore" in comment
        and find_unknown_business(TENANT) is not None
    )


@real_engines
def test_they_are_complete_within_five_seconds_and_after_a_second_write_again(
    table: str, running_follower: None
) -> None:
    for number in (1, 2):
        raws = [factory("w1", number) for factory in FACTORIES]
        for raw in raws:
            put(raw)
        deadline = time.monotonic() + SECONDS
        while (misplaced(raws) or not is_complete("w1", number)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert misplaced(raws) == [] and is_complete("w1", number)
        for raw in raws:
            stored = load_raw(key_of(raw)) or {}
            assert {name: stored.get(name) for name in raw} == raw, "what the outside writer stored is unchanged"
