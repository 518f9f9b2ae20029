"""Helpers for the branding pages: addresses, rows, badges, buttons and forms."""

from __future__ import annotations

from typing import Any

from django.test import Client

from branding import queries
from branding.items import Theme
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor
from tests.businesses.business_pages import put_raw
from tests.ui.html import Element, Form, form_to, parse, toasts

BRAND = "/b/andina/branding/"
HTMX = {"HX-Request": "true"}
OLIVIA = Actor("olivia@example.com", "Olivia Andrade")
SEED_MARKER = {"version": 41, "publishedAt": "2025-09-10T08:30:00Z", "publishedBy": "user-789"}


def url_of(version: Theme | int, act: str = "") -> str:
    number = version if isinstance(version, int) else version.number
    return f"{BRAND}themes/{number}/" + (f"{act}/" if act else "")


def rows(page: Element) -> list[Element]:
    return [each for each in page.all("li") if "data-row" in each.attrs]


def titles(page: Element) -> list[str]:
    return [row.one("a", class_="row-link").text for row in rows(page)]


def row_of(browser: Client, theme: Theme, query: str = "") -> Element:
    matching = [
        row for row in rows(parse(browser.get(BRAND + query))) if row.one("a", class_="row-link").text == theme.title
    ]
    assert len(matching) == 1, f"{len(matching)} rows of {theme.title}"
    return matching[0]


def badges(element: Element) -> list[str]:
    return [each.text for each in element.by_class("badge")]


def press_row_button(browser: Client, theme: Theme, act: str, **options: Any) -> Any:
    """Press the button for this action in the version's row."""
    row = row_of(browser, theme)
    form = form_to(row, url_of(theme, act))
    (button,) = [each for each in form.buttons if each.attrs.get("formaction") == url_of(theme, act)]
    return form.send(browser, button, **options)


def publish_form(browser: Client, version: Theme | int) -> Form:
    """Open the confirmation page and return its form."""
    page = parse(browser.get(url_of(version, "publish"), follow=True))
    return form_to(page.one("main"), url_of(version, "publish"))


def toast_text(response: Any) -> str:
    (text,) = toasts(response)
    return text


def audit_actions(version: int) -> list[str]:
    """The actions in the audit entries of a version, newest first."""
    return [entry.action for entry in queries.theme_history("andina", version)]


def put_marker(**attributes: Any) -> None:
    """Write the marker of the live version as an outside writer does."""
    key = keys.PUBLISHED.key(tenant="andina")
    item = {"PK": key.pk, "SK": key.sk, "type": "PUBLISHED_MARKER"} | attributes
    put_raw({name: to_attribute(value) for name, value in item.items()})


def diff_lines(page: Element) -> dict[str, list[str]]:
    """The cells of a comparison, by field."""
    (table,) = page.by_class("diff") or [Element("table")]
    return {row.one("th").text: [cell.text for cell in row.all("td")] for row in table.all("tr") if row.all("td")}
