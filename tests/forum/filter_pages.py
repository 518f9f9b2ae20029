"""Uses the filter's pages as a person does, and reads what they saved."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Changes
from dashboard.platform.configs.items import Config
from dashboard.table import keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.connection import table as connected
from forum.configs.profanity import PROFANITY
from tests.ui.html import Element, form_to, parse

FILTER = "/forum/profanity/"
SOFIA, ACTOR = "sofia@example.com", "alma@example.com"
HTMX = {"HX-Request": "true", "HX-Target": "list"}
# The example of the seed files.
SEED = {
    "blacklist": ["palabra1", "palabra2"],
    "severity": {"palabra1": "high", "palabra2": "medium"},
    "autoModerationThreshold": 0.8,
}


def put_filter(**body: Any) -> None:
    """Write the filter as an outside writer does."""
    key = keys.CONFIG.key(name="profanity")
    connected().put_item(key.pk, key.sk, attributes={name: to_attribute(value) for name, value in body.items()})


def raw_filter() -> dict[str, Any]:
    found: dict[str, Any] = connected().get_item(*keys.CONFIG.key(name="profanity")).get("Item", {})
    return found


def saved_filter() -> Config:
    config = queries.current(PROFANITY)
    assert config is not None
    return config


def staged_changes(email: str = SOFIA) -> Changes:
    return queries.load_state(PROFANITY, email).staged


def post_form(client: Client, page: str, **fields: Any) -> HttpResponseBase:
    return client.post(f"{FILTER}{page}", fields)


def save_changes(client: Client, **fields: Any) -> HttpResponseBase:
    """Open the review page and press Save."""
    form = form_to(client.get(f"{FILTER}review/"), f"{FILTER}review/")
    return client.post(form.action, form.data(**fields))


def listed_words(client: Client, query: str = "") -> list[str]:
    return [row.by_class("main")[0].text for row in rows(parse(client.get(f"{FILTER}{query}")))]


def rows(page: Element) -> list[Element]:
    return [row for row in page.all("tr") if "data-row" in row.attrs]


def audit_entries() -> list[AuditEntry]:
    return read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, newest_first=True).items
