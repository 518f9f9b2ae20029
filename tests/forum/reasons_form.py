"""The reasons' form as people use it, and what it leaves."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.table import keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.connection import table as connected
from forum.configs.reasons import PRESETS, REASONS, reasons_of
from tests.ui.html import Element, Form, form_to, parse

URL = "/forum/reasons/"
IDS = [each["id"] for each in PRESETS]


def opened(browser: Client) -> Form:
    return form_to(parse(browser.get(URL)).one("main"), URL)


def form_of(answer: Any) -> Form:
    return form_to(parse(answer).one("main"), URL)


def saved() -> dict[str, tuple[str, str]]:
    """The reasons as they stand, in order."""
    return {each["id"]: (each["en"], each["es"]) for each in reasons_of(REASONS.body_of(queries.current(REASONS)))}


def button(form: Form, name: str, value: str = "1") -> Element:
    (found,) = [each for each in form.buttons if each.attrs.get("name") == name and each.attrs["value"] == value]
    return found


def names(form: Form, part: str) -> dict[str, str]:
    """The fields of one part (`en`, `es`) by the reason's key."""
    given = dict(form.fields)
    rows = range(sum(name.startswith("key_") for name in given))
    return {given[f"key_{at}"]: f"{part}_{at}" for at in rows}


def typed(form: Form, key: str, **texts: str) -> dict[str, str]:
    return {names(form, part)[key]: text for part, text in texts.items()}


def put_elsewhere(*members: Any) -> None:
    key = keys.CONFIG.key(name="reasons")
    connected().put_item(key.pk, key.sk, attributes={"reasons": to_attribute(list(members))})


def trail() -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items
    return [each for each in found if (each.action or "").startswith("reasons.")]
