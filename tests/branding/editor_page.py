"""What tests of the editor have in common: a business, its owner's browser, and the form."""

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


def an_owner(business: str = BUSINESS) -> Client:
    """The browser of someone who owns a business that is made with them."""
    owner = add_person("olivia@example.com", Role.OWNER, "Olivia Andrade")
    add_business(business, "Coca-Cola Andina", owner.email)
    return sign_in(owner)


def url_of(theme: Theme | int, part: str = "", business: str = BUSINESS) -> str:
    number = theme if isinstance(theme, int) else theme.number
    return f"/b/{business}/branding/themes/{number}/{part}"


def form_of(browser: Client, theme: Theme | int) -> Form:
    """The form of the editor; a toast above may hold another, to undo."""
    return the_form(browser.get(url_of(theme)))


def the_form(page: Any) -> Form:
    found: Element = page if isinstance(page, Element) else parse(page)
    (form,) = [each for each in forms(found) if "data-preview" in each.element.attrs]
    return form


def save(browser: Client, theme: Theme | int, **typed: str) -> Any:
    """Open the page, type, save, and follow to where that leads."""
    return form_of(browser, theme).send(browser, values=typed, follow=True)


def frames(page: Any) -> list[str]:
    found: Element = page if isinstance(page, Element) else parse(page)
    return [frame.attrs["src"] for frame in found.all("iframe")]
