"""Helpers for the tests of the editor: a business, its owner's browser, and the form."""

from __future__ import annotations

from typing import Any

from django.test import Client

from branding.items import Theme
from dashboard.platform.accounts.permissions import Role
from dashboard.table.commands import Actor
from tests.conftest import add_business, add_person, sign_in
from tests.ui.html import Element, Form, forms, parse

BUSINESS = "andina"
ALDO = Actor("aldo@example.com", "Aldo Paz")


def sign_in_owner(business: str = BUSINESS) -> Client:
    """Create a business with its owner, and return the owner's browser."""
    owner = add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    add_business(business, "Coca-Cola Andina", owner.email)
    return sign_in(owner)


def url_of(theme: Theme | int, part: str = "", business: str = BUSINESS) -> str:
    number = theme if isinstance(theme, int) else theme.number
    return f"/b/{business}/branding/themes/{number}/{part}"


def load_editor_form(browser: Client, theme: Theme | int) -> Form:
    """Load the editor page and return its form."""
    return find_editor_form(browser.get(url_of(theme)))


def find_editor_form(page: Any) -> Form:
    """The editor's form; a toast on the page may contain another form, to undo."""
    element: Element = page if isinstance(page, Element) else parse(page)
    (form,) = [each for each in forms(element) if "data-preview" in each.element.attrs]
    return form


def save(browser: Client, theme: Theme | int, **values: str) -> Any:
    """Open the page, fill in the values, save, and follow the redirect."""
    return load_editor_form(browser, theme).send(browser, values=values, follow=True)


def frame_urls(page: Any) -> list[str]:
    element: Element = page if isinstance(page, Element) else parse(page)
    return [frame.attrs["src"] for frame in element.all("iframe")]
