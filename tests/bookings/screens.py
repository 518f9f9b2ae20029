"""Reads the calendar's pages for tests."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.test import Client

from tests.bookings.bookable_business import BUSINESS
from tests.ui.html import Element, Form, forms, parse

BOOKINGS = f"/b/{BUSINESS}/bookings/"
NEW, AVAILABILITY = f"{BOOKINGS}new/", f"{BOOKINGS}why/"


def url_of(booking_id: str, act: str = "") -> str:
    return f"{BOOKINGS}{booking_id}/{act}"


def day_query(moment: datetime) -> str:
    return f"?day={moment.date().isoformat()}"


def columns(page: Any) -> dict[str, Element]:
    """The columns of the calendar by their heading."""
    root = page if isinstance(page, Element) else parse(page)
    return {each.attrs["data-name"]: each for each in root.by_class("cal-col")}


def blocks(column: Element) -> list[str]:
    """The text of each booking in a column."""
    return [" ".join(each.text.split()) for each in column.by_class("cal-link")]


def calendar(client: Client, query: str) -> dict[str, list[str]]:
    return {name: blocks(each) for name, each in columns(client.get(BOOKINGS + query)).items()}


def alternatives_form(page: Any) -> Form:
    """The form with the free times that a page offers if the wanted time is taken."""
    root = page if isinstance(page, Element) else parse(page)
    (form,) = forms(root.by_class("notice")[0])
    return form
