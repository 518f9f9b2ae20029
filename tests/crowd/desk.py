"""People who book, move and cancel in the back office, through its pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.services import members
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import BUSINESS, MONDAY
from tests.bookings.screens import BOOKINGS, NEW, url_of
from tests.conftest import ACTOR, add_person, sign_in
from tests.crowd.reports import STAFF, CrowdReport, random_start
from tests.ui.html import Form, forms, parse

DAY = MONDAY.date().isoformat()


class DeskPerson:
    def __init__(self, number: int) -> None:
        person = add_person(f"p{number}@example.com", Role.OWNER, f"P {number}")
        members.add(BUSINESS, person.email, command=new_command(ACTOR))
        self.email, self.browser = person.email, sign_in(person)
        self.chance = random.Random(1000 + number)
        # Open bookings: who has them, and when.
        self.own: dict[str, tuple[str, str]] = {}
        self.report = CrowdReport()

    def work(self, writes: int) -> CrowdReport:
        for _ in range(writes):
            booking = self.chance.choice(sorted(self.own)) if self.own and self.chance.random() < 0.5 else ""
            act = self.chance.choice((self.move, self.cancel)) if booking else self.create
            act(booking)
        return self.report

    def create(self, _: str) -> None:
        provider, start = self.chance.choice(STAFF), random_start(self.chance)
        page = self.open(NEW, service="masaje", provider=provider, day=DAY)
        # Another customer each time: a second booking of one at the same time is only accepted after a question.
        name = f"{self.email} {len(self.report.done)}"
        answer = self.send(page, BOOKINGS, start=start, customer="", customer_name=name)
        if answer is not None:
            (just,) = parse_qs(urlsplit(answer.headers["Location"]).query)["just"]
            booking = just.rpartition("/")[2]
            self.own[booking] = provider, start
            self.report.done.append(("booking.create", booking, self.email))

    def move(self, booking: str) -> None:
        provider, start = self.chance.choice(STAFF), random_start(self.chance)
        if self.own[booking] == (provider, start):
            return  # It would be answered without a change.
        path = url_of(booking, "reschedule/")
        page = self.open(path, provider=provider, day=DAY)
        if self.send(page, path, provider=provider, start=start) is not None:
            self.own[booking] = provider, start
            self.report.done.append(("booking.reschedule", booking, self.email))

    def cancel(self, booking: str) -> None:
        page = self.open(url_of(booking))
        if self.send(page, url_of(booking, "cancel/"), reason="ill") is not None:
            del self.own[booking]
            self.report.done.append(("booking.cancel", booking, self.email))

    def open(self, path: str, **query: str) -> Any:
        answer = until_answered(lambda: self.browser.get(path, query))
        assert answer.status_code == 200, answer.content.decode()
        return answer

    def send(self, page: Any, action: str, **values: Any) -> Any:
        """Send a form of the page; now and then again, as after a lost answer. None for a refusal."""
        form = form_in(page, action)
        data = form.data(**values)
        times = self.chance.choice((1, 2))
        self.report.repeated += times - 1
        answers = [until_answered(lambda: self.browser.post(action, data)) for _ in range(times)]
        if answers[0].status_code == 303:
            assert answers[-1].status_code == 303, "what has succeeded once is answered as done from then on"
        if answers[-1].status_code != 303:
            assert answers[-1].status_code in {409, 422}, answers[-1].content.decode()
            self.report.refused += 1
            return None
        return answers[-1]


def form_in(page: Any, action: str) -> Form:
    """The form of a page with this target, not one in a toast."""
    return next(each for each in forms(parse(page).one("main")) if each.action == action)


def until_answered(act: Callable[[], Any]) -> Any:
    while True:
        answer = act()
        if answer.status_code != 503:
            return answer
