"""Submits the forms of a person's page."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.table.commands import Actor
from tests.ui.html import Form, form_to, toasts

ALDO = Actor("aldo@example.com", "Aldo Paz")


def form_of(browser: Client, person: Person, act: str) -> Form:
    """The form for one act on someone's page."""
    return form_to(browser.get(f"/people/{person.email}/"), f"/people/{person.email}/{act}/")


def act(browser: Client, person: Person, what: str, **typed: str) -> Any:
    return form_of(browser, person, what).send(browser, values=typed, follow=True)


def said(response: Any) -> str:
    """The one toast of a page."""
    (text,) = toasts(response)
    return text


def reloaded(person: Person) -> Person:
    return queries.load_person(person.email)
