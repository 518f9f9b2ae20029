"""Programs that book, move and cancel their own bookings through the API."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dashboard.core.ids import new_id
from tests.api.shop import get, send
from tests.apikeys.factories import create_key
from tests.bookings.bookable_business import BUSINESS
from tests.crowd.reports import STAFF, CrowdReport, Success, random_start


def answered(act: Callable[[], Any]) -> Any:
    """Repeat a request, with its Idempotency-Key, until it is carried out or refused."""
    while True:
        answer = act()
        assert answer.status_code < 500 or answer.status_code == 503, answer.content
        if answer.status_code not in {429, 503} and (answer.status_code != 409 or code(answer) != "in_progress"):
            return answer


def code(answer: Any) -> str:
    return str(answer.json()["code"])


class ApiProgram:
    def __init__(self, number: int) -> None:
        self.key, self.secret = create_key(BUSINESS, f"Client {number}", limit=10_000)
        self.chance = random.Random(number)
        self.own: list[str] = []
        self.report = CrowdReport()

    def work(self, writes: int) -> CrowdReport:
        for _ in range(writes):
            done = self.write()
            if done is not None:
                self.report.done.append(done)
        return self.report

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
        self.report.repeated += times - 1

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
            self.report.refused += 1
            return None
        assert len({each.json()["id"] for each in good}) == 1
        if answers[0].status_code < 300 and not is_parallel:
            assert len(good) == times, "what has succeeded once is answered as done from then on"
        booking = str(good[0].json()["id"])
        if booking not in self.own:
            self.own.append(booking)
        return action, booking, self.key.actor.email
