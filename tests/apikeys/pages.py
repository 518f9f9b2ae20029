"""The pages of a business's API keys: forms, rows and toasts."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.platform.apikeys import queries
from dashboard.platform.apikeys.items import ApiKey
from tests.ui.html import Form, form_to, parse, toasts


def url_of(key: ApiKey, act: str = "") -> str:
    return f"/b/{key.business}/keys/{key.id}/" + (f"{act}/" if act else "")


def new_key_form(browser: Client, business: str) -> Form:
    return form_to(browser.get(f"/b/{business}/keys/new/"), f"/b/{business}/keys/new/")


def act_form(browser: Client, key: ApiKey, act: str) -> Form:
    return form_to(browser.get(url_of(key)), url_of(key, act))


def reload(key: ApiKey) -> ApiKey:
    return queries.load_key(key.business, key.id)


def rows(browser: Client, business: str) -> list[list[str]]:
    page = parse(browser.get(f"/b/{business}/keys/"))
    return [[cell.text for cell in row.all("td")] for row in page.all("tr") if "data-row" in row.attrs]


def toast_text(response: Any) -> str:
    (text,) = toasts(response)
    return text
