"""Demo businesses, as the seeds have them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from dashboard.accounts.demo import ADMIN
from dashboard.audit.services import record
from dashboard.businesses.items import Member, Slug, Tenant
from dashboard.local.accounts import DOMAIN
from dashboard.table import keys, read
from dashboard.table.operations import Operation
from dashboard.table.transactions import Transaction

_BUSINESSES: tuple[tuple[str, str, str, str, dict[str, Any]], ...] = (
    (
        "andina",
        "Coca-Cola Andina",
        "PRO",
        "owner",
        {"language": "es-CL", "defaultTimezone": "America/Santiago"},
    ),
    (
        "123",
        "Intrale",
        "FREE",
        "owner",
        {"language": "es", "defaultTimezone": "America/Argentina/Buenos_Aires"},
    ),
    (
        "harbour",
        "Harbour Coffee",
        "ENTERPRISE",
        "owner2",
        {"language": "en", "defaultTimezone": "Europe/London"},
    ),
)
_SINCE = datetime(2025, 1, 1, tzinfo=UTC)


def seed() -> int:
    """Add the businesses that are missing; says how many."""
    there = read.get_many([keys.TENANT.key(tenant=business[0]) for business in _BUSINESSES])
    missing = [business for business, found in zip(_BUSINESSES, there, strict=True) if found is None]
    for business in missing:
        _add(*business)
    return len(missing)


def _add(tenant_id: str, name: str, plan: str, owner: str, settings: dict[str, Any]) -> None:
    tenant = Tenant.at(tenant=tenant_id)
    tenant.tenant_id = tenant.slug = tenant_id
    tenant.name, tenant.status, tenant.plan = name, "ACTIVE", plan
    tenant.settings, tenant.created_at = settings, _SINCE
    tenant.owner_user_id = f"{owner}@{DOMAIN}"
    slug = Slug.at(slug=tenant_id)
    slug.tenant_id = tenant_id
    member = Member.at(tenant=tenant_id, email=tenant.owner_user_id)
    member.tenant_id, member.email, member.tenant_name = tenant_id, tenant.owner_user_id, name
    transaction = Transaction(Operation(f"demo-business-{tenant_id}", ADMIN))
    for item in (tenant, slug, member):
        transaction.create(item)
    record(transaction, "business.create", target=tenant_id, kind="business", title=name)
    transaction.commit(tenant)
