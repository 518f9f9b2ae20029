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


def form_values(**fields: str) -> dict[str, str]:
    """The fields of a business form, with a slug that no other test uses."""
    return VALUES | {"slug": f"shop-{new_id()[-8:].lower()}"} | fields


def create_business(**fields: str) -> Business:
    return businesses.create(form_values(**fields), command=new_command(ACTOR))


def reload(business: Business) -> Business:
    return queries.load_business(business.business_id)


def url_of(business: Business) -> str:
    return f"/businesses/{business.business_id}/"


def form_of(browser: Client, business: Business) -> Form:
    """The form on a business's page. The undo form of a toast is ignored."""
    return form_to(parse(browser.get(url_of(business))).one("main"), url_of(business))


def edit(browser: Client, business: Business, **fields: str) -> Any:
    """Open the page, change these fields, save, and follow the redirect."""
    return form_of(browser, business).send(browser, values=fields, follow=True)


def toast_text(response: Any) -> str:
    (text,) = toasts(response)
    return text


def claim_owner(kind: str, name: str) -> str | None:
    """The id of the business that owns this slug or domain."""
    key = keys.SLUG.key(slug=name) if kind == "slug" else keys.DOMAIN.key(domain=name)
    claim: Any = read.get_many([key])[0]
    return claim.business_id if claim else None


def audit_trails(business: Business) -> tuple[list[AuditEntry], list[AuditEntry]]:
    """The entries of the business's own audit trail, and those about it in the platform's; newest first."""
    return latest_of(business.business_id), history(business.business_id)


def audit_actions(business: Business) -> tuple[list[str], list[str]]:
    own, platform = audit_trails(business)
    return [entry.action for entry in own], [entry.action for entry in platform]


def put_raw(raw: dict[str, Any]) -> None:
    """Write an item as an outside writer does."""
    table().connection.dispatch("PutItem", {"TableName": table().table_name, "Item": raw})


def raw_at(key: Key) -> dict[str, Any]:
    """The raw item at this key."""
    item: dict[str, Any] = table().get_item(key.pk, key.sk, consistent_read=True).get("Item", {})
    return item
