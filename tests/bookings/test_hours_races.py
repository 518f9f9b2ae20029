"""Many change one provider's hours at once, and replies get lost: each change is there once, none is told wrongly."""

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
class Told:
    command: Command
    minute: int
    done: bool


def press(provider_id: str, minute: int, by: Actor) -> Told:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    command, week = new_command(by), a_week(dict.fromkeys(("MON", "THU"), DayHours((Range(minute, 1380),))))
    revision = _revision(provider_id)
    while True:
        try:
            hours.save(BUSINESS, provider_id, week, revision=revision, business_zone=SANTIAGO, command=command)
        except Unavailable:
            continue
        except HoursChanged:
            return Told(command, minute, False)
        return Told(command, minute, True)


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
def test_eight_people_at_one_providers_hours(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    provider = a_provider()
    start = threading.Barrier(PEOPLE)

    def one(number: int) -> list[Told] | int:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        if number == 0:
            # Somebody else moves their zone: that counts too.
            zones = ("Asia/Tokyo", SANTIAGO, "Europe/Madrid")
            return sum(rename(provider.id, f"Name {each}", each, by) for each in zones)
        # Each wants what nobody else does: hours that stand there already are no change, and leave no record.
        return [press(provider.id, minute, by) for minute in chance.sample(range(number, 1000, PEOPLE), TRIES)]

    with bad_network() as network:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        with ThreadPoolExecutor(PEOPLE) as pool:
            answers = list(pool.map(one, range(PEOPLE)))
        network.stop_faults()
    assert network.faults > 5

    told = [each for answer in answers if isinstance(answer, list) for each in answer]
    moved = sum(answer for answer in answers if isinstance(answer, int))
    assert moved >= 1, "hours that move are in nobody's way who changes the rest"
    for each in told:
        assert (find_done(each.command) is not None) == each.done, "what was told is what is so"
    done = [each for each in told if each.done]
    assert done
    entries = [each for each in history_of(BUSINESS, "provider", provider.id, limit=100) if each.action == "hours.save"]
    assert len(entries) == len(done), "each is in the trail, once"
    after = queries.load_provider(BUSINESS, provider.id)
    assert after.schedule_revision == len(entries) + moved, "each has moved the number by one"
    weekly = hours_now(provider.id).weekly
    assert weekly[0] == weekly[3], "both days of a change or neither"
    assert weekly[0].ranges[0].start_minute in {each.minute for each in done}


@real_engines
def test_a_lost_reply_is_no_conflict_with_oneself(table: str) -> None:
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
