"""The audit entries of pages and addresses."""

from __future__ import annotations

from typing import Any

from content.fields import PAGE_FIELDS
from content.items import Content
from dashboard.platform.audit.services import record
from dashboard.table.transactions import Transaction

PAGE, ROUTE = "page", "site_route"


def page_target(node: str) -> str:
    """The target of the audit entries of a page."""
    return f"{PAGE}:{node}"


def audit_values(page: Content) -> dict[str, Any]:
    """The values in audit entries. Not the blocks: the versions have them."""
    return PAGE_FIELDS.audit_values(page)


def record_page_change(
    transaction: Transaction,
    action: str,
    page: Content,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Add the audit entry of an action, such as `page.edit`. It names the version that the action made."""
    record(
        transaction,
        f"{PAGE}.{action}",
        target=page_target(page.node),
        kind=PAGE,
        title=page.display_title,
        before=before,
        after={**(after or {}), "version": page.number},
        business=str(page.key_parts["tenant"]),
    )


def record_route_change(
    transaction: Transaction,
    action: str,
    business: str,
    slug: str,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    record(
        transaction,
        f"{ROUTE}.{action}",
        target=f"{ROUTE}:{slug}",
        kind=ROUTE,
        title=slug,
        before=before,
        after=after,
        business=business,
    )
