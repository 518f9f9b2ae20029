"""Demo businesses, as the seeds have them."""

from __future__ import annotations

from dashboard.accounts.demo import ADMIN
from dashboard.businesses.items import Status
from dashboard.businesses.services import businesses, members
from dashboard.local.accounts import DOMAIN
from dashboard.table import keys, read
from dashboard.table.operations import Operation

_BUSINESSES: tuple[tuple[str, str, str, str, dict[str, str]], ...] = (
    (
        "andina",
        "Coca-Cola Andina",
        "PRO",
        "owner",
        {
            "language": "es-CL",
            "timezone": "America/Santiago",
            "color": "#f44336",
            "position": "bottom-right",
            "billing_email": "billing@andina.example",
            "domain": "andina.example",
        },
    ),
    (
        "123",
        "Intrale",
        "FREE",
        "owner",
        {"language": "es", "timezone": "America/Argentina/Buenos_Aires"},
    ),
    (
        "harbour",
        "Harbour Coffee",
        "ENTERPRISE",
        "owner2",
        {"language": "en", "timezone": "Europe/London"},
    ),
)


def seed() -> int:
    """Add the businesses that are missing; says how many."""
    there = read.get_many([keys.TENANT.key(tenant=business[0]) for business in _BUSINESSES])
    missing = [business for business, found in zip(_BUSINESSES, there, strict=True) if found is None]
    for business in missing:
        _add(*business)
    return len(missing)


def _add(slug: str, name: str, plan: str, owner: str, settings: dict[str, str]) -> None:
    operation = Operation(f"demo-business-{slug}", ADMIN)
    values = {"name": name, "slug": slug, "status": Status.ACTIVE, "plan": plan} | settings
    business = businesses.create(values, operation=operation)
    members.add(business.id, f"{owner}@{DOMAIN}", operation=operation.part("owner"))
