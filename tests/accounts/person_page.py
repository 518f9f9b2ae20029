"""Submits the forms of a person's page."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor
from tests.ui.html import Form, form_to, toasts

ALDO = Actor("aldo@example.com", "Aldo Paz")


def form_of(browser: Client, person: Person, action: str) -> Form:
    """The form for one action on a person's page."""
    return form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/{action}/")


def submit_form(browser: Client, person: Person, action: str, **fields: str) -> Any:
    return form_of(browser, person, action).send(browser, values=fields, follow=True)


def toast_text(response: Any) -> str:
    """The text of the only toast of a page."""
    (text,) = toasts(response)
    return text


def reload(person: Person) -> Person:
    return queries.load_person(person.email)
