"""Concurrent changes of one provider's hours with lost replies: each is saved once and reported correctly."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bookings.hours import DayHours, Range
from bookings.queries import providers as queries
from bookings.queries.history import history_of
from bookings.services import hours, providers
from bookings.services.schedule import HoursChanged
from dashboard.core.errors import Conflict, Unavailable
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from tests.bookings.catalog import BUSINESS, SANTIAGO, a_provider, a_week, hours_now
from tests.conftest import add_business, real_engines
from tests.faults import act_then_break, bad_network, lose_reply

PEOPLE, TRIES = 8, 3


@dataclass(frozen=True)
class Attempt:
    command: Command
    minute: int
    done: bool


def press(provider_id: str, minute: int, by: Actor) -> Attempt:
    """Save once; repeat while the table is unavailable."""
    command, week = new_command(by), a_week(dict.fromkeys(("MON", "THU"), DayHours((Range(minute, 1380),))))
    revision = _revision(provider_id)
    while True:
        try:
            hours.save(BUSINESS, provider_id, week, revision=revision, business_zone=SANTIAGO, command=command)
        except Unavailable:
            continue
        except HoursChanged:
            return Attempt(command, minute, False)
        return Attempt(command, minute, True)


def rename(provider_id: str, name: str, zone: str, by: Actor) -> bool:
    command, revision = new_command(by), None
    while True:
        try:
            revision = queries.load_provider(BUSINESS, provider_id).revision if revision is None else revision
            values = {"name": name, "timezone": zone}
            providers.edit(BUSINESS, provider_id, values, revision=revision, business_zone=SANTIAGO, command=command)
        except Unavailable:
            continue
        except Conflict:
            return False
        return True


def _revision(provider_id: str) -> int:
    while True:
        try:
            return queries.load_provider(BUSINESS, provider_id).schedule_revision
        except Unavailable:
            continue


@real_engines
def test_eight_people_change_one_providers_hours_at_once(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    provider = a_provider()
    start = threading.Barrier(PEOPLE)

    def work(number: int) -> list[Attempt] | int:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        if number == 0:
            # This person changes the time zone, which changes the schedule too.
            zones = ("Asia/Tokyo", SANTIAGO, "Europe/Madrid")
            return sum(rename(provider.id, f"Name {each}", each, by) for each in zones)
        # Each attempt has its own hours: saving equal hours is no change and leaves no record.
        return [press(provider.id, minute, by) for minute in chance.sample(range(number, 1000, PEOPLE), TRIES)]

    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        with ThreadPoolExecutor(PEOPLE) as pool:
            answers = list(pool.map(work, range(PEOPLE)))
        network.stop_faults()
    assert network.faults > 5

    attempts = [each for answer in answers if isinstance(answer, list) for each in answer]
    zone_changes = sum(answer for answer in answers if isinstance(answer, int))
    assert zone_changes >= 1, "changes of hours do not block changes of the time zone"
    for each in attempts:
        assert (find_done(each.command) is not None) == each.done, "the reported result is true"
    done = [each for each in attempts if each.done]
    assert done
    entries = [each for each in history_of(BUSINESS, "provider", provider.id, limit=100) if each.action == "hours.save"]
    assert len(entries) == len(done), "one audit entry each"
    after = queries.load_provider(BUSINESS, provider.id)
    assert after.schedule_revision == len(entries) + zone_changes, "each change adds one to the revision"
    weekly = hours_now(provider.id).weekly
    assert weekly[0] == weekly[3], "both days of a change are saved, or neither"
    assert weekly[0].ranges[0].start_minute in {each.minute for each in done}


@real_engines
def test_a_lost_reply_causes_no_conflict(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    provider = a_provider()
    command, week = new_command(Actor("p@example.com")), a_week({"MON": DayHours((Range(540, 600),))})
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply)
        saved = hours.save(BUSINESS, provider.id, week, revision=0, business_zone=SANTIAGO, command=command)
    assert saved.schedule_revision == 1
    again = hours.save(BUSINESS, provider.id, week, revision=0, business_zone=SANTIAGO, command=command)
    assert (again.schedule_revision, again.outcome.result["provider"]) == (1, provider.id)
    assert len([each for each in history_of(BUSINESS, "provider", provider.id) if each.action == "hours.save"]) == 1
