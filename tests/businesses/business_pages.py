"""Values, forms and requests for tests of businesses."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.core.ids import new_id
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import history, latest_of
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.services import businesses
from dashboard.table import keys, read
from dashboard.table.commands import Actor, new_command
from dashboard.table.connection import table
from dashboard.table.keypattern import Key
from tests.conftest import ACTOR
from tests.ui.html import Form, form_to, parse, toasts

ALDO = Actor("aldo@example.com", "Aldo Paz")
VALUES = {
    "name": "Café Ñandú",
    "slug": "nandu",
    "status": "ACTIVE",
    "plan": "PRO",
    "domain": "",
    "reason": "",
    "billing_email": "",
    "language": "es",
    "timezone": "America/Santiago",
    "color": "",
    "position": "",
}


def values(**given: str) -> dict[str, str]:
    """What a form would say of a business that no other test knows."""
    return VALUES | {"slug": f"shop-{new_id()[-8:].lower()}"} | given


def new(**given: str) -> Business:
    return businesses.create(values(**given), command=new_command(ACTOR))


def reloaded(business: Business) -> Business:
    return queries.load_business(business.business_id)


def url_of(business: Business) -> str:
    return f"/businesses/{business.business_id}/"


def form_of(browser: Client, business: Business) -> Form:
    """The form on a business's page; a toast above may hold another, to undo."""
    return form_to(parse(browser.get(url_of(business))).one("main"), url_of(business))


def edit(browser: Client, business: Business, **typed: str) -> Any:
    """Open the page, type, save, and follow to where that leads."""
    return form_of(browser, business).send(browser, values=typed, follow=True)


def said(response: Any) -> str:
    (text,) = toasts(response)
    return text


def holder(kind: str, name: str) -> str | None:
    """Which business has a slug or a domain."""
    key = keys.SLUG.key(slug=name) if kind == "slug" else keys.DOMAIN.key(domain=name)
    found: Any = read.get_many([key])[0]
    return found.business_id if found else None


def trails(business: Business) -> tuple[list[AuditEntry], list[AuditEntry]]:
    """What the business's own trail says, and what the platform's says of it; newest first."""
    return latest_of(business.business_id), history(business.business_id)


def actions(business: Business) -> tuple[list[str], list[str]]:
    own, platform = trails(business)
    return [entry.action for entry in own], [entry.action for entry in platform]


def put_raw(raw: dict[str, Any]) -> None:
    """Write an item as another service would."""
    table().connection.dispatch("PutItem", {"TableName": table().table_name, "Item": raw})


def raw_at(key: Key) -> dict[str, Any]:
    """An item as it stands in the table."""
    found: dict[str, Any] = table().get_item(key.pk, key.sk, consistent_read=True).get("Item", {})
    return found
