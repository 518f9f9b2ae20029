"""Uses the form of the reasons as a person does, and reads what it saved."""

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


def open_form(browser: Client) -> Form:
    return form_to(parse(browser.get(URL)).one("main"), URL)


def form_in(answer: Any) -> Form:
    return form_to(parse(answer).one("main"), URL)


def saved_reasons() -> dict[str, tuple[str, str]]:
    """The saved reasons, in their order."""
    return {each["id"]: (each["en"], each["es"]) for each in reasons_of(REASONS.body_of(queries.current(REASONS)))}


def button(form: Form, name: str, value: str = "1") -> Element:
    (found,) = [each for each in form.buttons if each.attrs.get("name") == name and each.attrs["value"] == value]
    return found


def field_names(form: Form, part: str) -> dict[str, str]:
    """The names of the fields in one language (`en`, `es`), by the key of the reason."""
    fields = dict(form.fields)
    rows = range(sum(name.startswith("key_") for name in fields))
    return {fields[f"key_{at}"]: f"{part}_{at}" for at in rows}


def input_for(form: Form, key: str, **texts: str) -> dict[str, str]:
    return {field_names(form, part)[key]: text for part, text in texts.items()}


def put_as_outside_writer(*members: Any) -> None:
    key = keys.CONFIG.key(name="reasons")
    connected().put_item(key.pk, key.sk, attributes={"reasons": to_attribute(list(members))})


def audit_entries() -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items
    return [each for each in found if (each.action or "").startswith("reasons.")]
