"""A visitor's browser, and a business that can be booked online."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.test import Client

from bookings.items import Booking
from bookings.queries import bookings as queries
from bookings.rules import CONFIRM_BY_EMAIL, OPEN_PAGE
from dashboard.platform.businesses.queries import load_business
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from tests.bookings.bookable_business import BUSINESS, at, open_shop
from tests.conftest import ACTOR, add_business
from tests.mail.letters import Clock
from tests.ui.html import Element, parse

PAGE = f"/book/{BUSINESS}/"
NOTHING: Mapping[str, str] = {}
CONTACT = {"name": "Ana Ruiz", "email": "ana@example.com", "phone": "+56 9 1234 5678", "note": ""}


def open_booking_page(*providers: str, confirms: bool = False, page: bool = True) -> None:
    add_business(BUSINESS, "Coca-Cola Andina")
    open_shop(*(providers or ("maria", "pedro")), start="09:00", end="18:00")
    set_rules(online_page=OPEN_PAGE if page else "", online_confirmation=CONFIRM_BY_EMAIL if confirms else "")


def set_rules(**values: Any) -> None:
    business = load_business(BUSINESS)
    for name, value in values.items():
        setattr(business, name, value)
    transaction = Transaction(new_command(ACTOR))
    transaction.save(business, revision=business.revision)
    transaction.commit(business)


def url(**params: str) -> str:
    return f"{PAGE}?{urlencode(params)}"


class Visitor:
    """A browser without cookies and scripts. The clock moves while a person types."""

    def __init__(self, clock: Clock, **headers: str) -> None:
        self.client, self.clock = Client(headers={"accept-language": "en"} | headers), clock

    def get(self, path: str, status: int = 200) -> Element:
        response = self.client.get(path)
        assert response.status_code == status, response.content.decode()
        return parse(response)

    def send(
        self,
        form: Element,
        values: Mapping[str, str] = NOTHING,
        *,
        status: int = 303,
        after: float = 20,
        action: str = "",
    ) -> Any:
        """Send a form with its hidden fields some seconds later, and return the answer."""
        self.clock.pass_time(timedelta(seconds=after))
        hidden = {each.attrs["name"]: each.attrs.get("value", "") for each in form.all("input", type="hidden")}
        response = self.client.post(action or form.attrs["action"], hidden | dict(values))
        assert response.status_code == status, response.content.decode()
        assert not response.cookies, "the pages need no cookie"
        return response

    def book(self, start: datetime, *, status: int = 303, provider: str = "any", **values: str) -> Any:
        """Book the service on its last page."""
        form = self.get(url(service="masaje", provider=provider, start=to_wire(start))).one("form")
        return self.send(form, CONTACT | values, status=status)


def own_url(response: Any) -> str:
    return str(response.headers["Location"])


def bookings() -> list[Booking]:
    return queries.agenda(BUSINESS).items


def link_in(text: str) -> str:
    """The path of the first link in a mail."""
    match = re.search(r"https?://[^/\s]+(/book/\S+)", text)
    assert match is not None, text
    return match[1]


MONDAY_AT_TEN = at(10)
