"""What the calendar's pages show, read for tests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.test import Client

from tests.bookings.bookable_business import BUSINESS
from tests.ui.html import Element, Form, forms, parse

BOOKINGS = f"/b/{BUSINESS}/bookings/"
NEW, WHY = f"{BOOKINGS}new/", f"{BOOKINGS}why/"


def url_of(booking_id: str, act: str = "") -> str:
    return f"{BOOKINGS}{booking_id}/{act}"


def on(moment: datetime) -> str:
    return f"?day={moment.date().isoformat()}"


def columns(page: Any) -> dict[str, Element]:
    """The columns of the calendar, by what stands above them."""
    root = page if isinstance(page, Element) else parse(page)
    return {each.attrs["data-name"]: each for each in root.by_class("cal-col")}


def blocks(column: Element) -> list[str]:
    """What is said of each booking in a column."""
    return [" ".join(each.text.split()) for each in column.by_class("cal-link")]


def calendar(client: Client, query: str) -> dict[str, list[str]]:
    return {name: blocks(each) for name, each in columns(client.get(BOOKINGS + query)).items()}


def offers(page: Any) -> Form:
    """What a page offers instead of a time that is not free."""
    root = page if isinstance(page, Element) else parse(page)
    (form,) = forms(root.by_class("notice")[0])
    return form
