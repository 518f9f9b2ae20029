"""32 API clients and 8 people book the same day, with lost replies and repeated Idempotency-Keys.

The ledger equals the bookings, nothing overlaps, and each reported success is in the audit trail exactly once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bookings.services import bookings as services
from dashboard.core.errors import Conflict, Refused, Unavailable
from dashboard.core.ids import new_id
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from tests.api.shop import get, make_shop, send
from tests.apikeys.factories import create_key
from tests.bookings.bookable_business import BUSINESS, at, check_bookings
from tests.faults import act_then_break, bad_network, lose_reply
from tests.table.notes import on_dynoxide

CLIENTS, PEOPLE, WRITES = 32, 8, 6
STAFF = ("maria", "pedro", "ana")
# The action in the audit trail, the booking, and who did it.
Success = tuple[str, str, str]


def random_start(chance: random.Random) -> str:
    return to_wire(at(chance.randrange(9, 18), chance.choice((0, 15, 30, 45))))


def answered(act: Callable[[], Any]) -> Any:
    """Repeat a request, with its Idempotency-Key, until it is carried out or refused."""
    while True:
        answer = act()
        assert answer.status_code < 500 or answer.status_code == 503, answer.content
        if answer.status_code not in {429, 503} and (answer.status_code != 409 or code(answer) != "in_progress"):
            return answer


def code(answer: Any) -> str:
    return str(answer.json()["code"])


class Client:
    """A program that books, moves and cancels its own bookings."""

    def __init__(self, number: int) -> None:
        self.key, self.secret = create_key(BUSINESS, f"Client {number}", limit=10_000)
        self.chance = random.Random(number)
        self.own: list[str] = []

    def work(self) -> list[Success]:
        return [each for each in (self.write() for _ in range(WRITES)) if each is not None]

    def write(self) -> Success | None:
        booking = self.chance.choice(self.own) if self.own and self.chance.random() < 0.6 else ""
        if not booking:
            return self.persist("booking.create", "bookings", self.new_booking())
        found = answered(lambda: get(self.secret, f"bookings/{booking}"))
        tag, current = {"If-Match": found.headers["ETag"]}, found.json()
        if current["status"] == "CANCELLED":
            return None
        if self.chance.random() < 0.6:
            body = {"start": random_start(self.chance), "provider": self.chance.choice(STAFF)}
            if (body["start"], body["provider"]) == (current["start"], current["providerId"]):
                return None  # It would be answered without a change.
            return self.persist("booking.reschedule", f"bookings/{booking}/reschedule", body, **tag)
        return self.persist("booking.cancel", f"bookings/{booking}/cancel", {"reason": "ill"}, **tag)

    def new_booking(self) -> dict[str, Any]:
        customer = {"name": "Juan Pérez", "email": f"juan-{self.key.id}@example.com"}
        provider = self.chance.choice((*STAFF, "any"))
        return {"service": "masaje", "start": random_start(self.chance), "provider": provider, "customer": customer}

    def persist(self, action: str, path: str, body: Any, **headers: str) -> Success | None:
        """Send a write once, one after the other, or at the same time: all answers are about the same booking."""
        key, times = new_id(), self.chance.choice((1, 2, 2))

        def act() -> Any:
            return answered(lambda: send(self.secret, path, body, key=key, **headers))

        is_parallel = times > 1 and self.chance.random() < 0.5
        if is_parallel:
            with ThreadPoolExecutor(times) as pool:
                answers = list(pool.map(lambda _: act(), range(times)))
        else:
            answers = [act() for _ in range(times)]
        good = [each for each in answers if each.status_code < 300]
        if not good:
            assert {each.status_code for each in answers} <= {409, 412, 422}, [each.content for each in answers]
            return None
        assert len({each.json()["id"] for each in good}) == 1
        if answers[0].status_code < 300 and not is_parallel:
            assert len(good) == times, "what has succeeded once is answered as done from then on"
        booking = str(good[0].json()["id"])
        if booking not in self.own:
            self.own.append(booking)
        return action, booking, self.key.actor.email


def person_works(number: int) -> list[Success]:
    """A person books and cancels in the back office."""
    by, chance = Actor(f"p{number}@example.com", f"P {number}"), random.Random(1000 + number)
    own: list[str] = []
    done: list[Success] = []
    for _ in range(WRITES):
        command, start = new_command(by), at(chance.randrange(9, 18), chance.choice((0, 15, 30, 45)))
        booking = chance.choice(own) if own and chance.random() < 0.4 else ""
        provider = chance.choice(STAFF)
        while True:
            try:
                if booking:
                    services.cancel(BUSINESS, booking, revision=1, reason="ill", command=command)
                    done.append(("booking.cancel", booking, by.email))
                else:
                    made = services.create(BUSINESS, "masaje", provider, start, "juan", command=command)
                    own.append(made.id)
                    done.append(("booking.create", made.id, by.email))
            except Unavailable:
                continue
            except (Conflict, Refused):
                pass
            break
    return done


@pytest.mark.slow
@on_dynoxide
def test_each_reported_success_is_applied_exactly_once(table: str) -> None:
    make_shop(*STAFF)
    clients = [Client(number) for number in range(CLIENTS)]
    with bad_network() as network, ThreadPoolExecutor(CLIENTS + PEOPLE) as pool:
        network.add_random_fault(0.03, lose_reply)
        network.add_random_fault(0.03, act_then_break)
        work: list[Callable[[], list[Success]]] = [each.work for each in clients]
        work += [lambda number=number: person_works(number) for number in range(PEOPLE)]  # type: ignore[misc]
        reported = [each for part in pool.map(lambda act: act(), work) for each in part]
        network.stop_faults()
        assert network.faults > 50, "the test needs lost replies"
    check_bookings()
    found = read.page(keys.AUDIT.collection(tenant=BUSINESS), AuditEntry, limit=5000, consistent=True).items
    recorded = Counter(
        (each.action, str(each.target_data["id"]).removeprefix("booking:"), str(each.person["email"]))
        for each in found
        if each.action.startswith("booking.")
    )
    assert recorded == Counter(reported)
    assert len([each for each in reported if each[0] == "booking.create"]) > CLIENTS // 2
