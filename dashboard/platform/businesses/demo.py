"""Demo businesses: those that the other demo data belongs to, and others that fill the lists and the switcher."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from dashboard.core.names import folded
from dashboard.platform.accounts.demo import ADMIN
from dashboard.platform.accounts.permissions import BusinessRole
from dashboard.platform.businesses.items import BusinessStatus, Plan
from dashboard.platform.businesses.services import businesses, members
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import in_recent_weeks
from dashboard.table import keys, read
from dashboard.table.commands import Command


@dataclass(frozen=True)
class _DemoBusiness:
    slug: str
    name: str
    owner: str
    plan: Plan = Plan.PRO
    status: BusinessStatus = BusinessStatus.ACTIVE
    language: str = "es"
    timezone: str = "America/Bogota"
    extra: dict[str, str] = field(default_factory=dict)
    # The other people of the business, by the first part of their e-mail address.
    staff: dict[str, BusinessRole] = field(default_factory=dict)


_UNPAID = "The invoice of last month is not paid. Write to billing@trastienda.test."
_CLOSED = "El contrato terminó. Escríbenos a billing@trastienda.test si quieres volver."
_ANDINA = {
    "color": "#f44336",
    "position": "bottom-right",
    "billing_email": "billing@andina.example",
    "domain": "www.andina.example",
}
_ANDINA_STAFF = {
    "receptionist": BusinessRole.RECEPTIONIST,
    "diego": BusinessRole.MANAGER,
    "lucia": BusinessRole.DESIGNER,
    "teresa": BusinessRole.STOCK_KEEPER,
}
_KNOWN = (
    _DemoBusiness(
        "andina",
        "Coca-Cola Andina",
        "owner",
        language="es-CL",
        timezone="America/Santiago",
        extra=_ANDINA,
        staff=_ANDINA_STAFF,
    ),
    _DemoBusiness("123", "Intrale", "owner", Plan.FREE, timezone="America/Argentina/Buenos_Aires"),
    _DemoBusiness("harbour", "Harbour Coffee", "owner2", Plan.ENTERPRISE, language="en", timezone="Europe/London"),
    _DemoBusiness("nequi", "Franquicias Nequi", "owner", Plan.ENTERPRISE, extra={"domain": "nequi.example"}),
    _DemoBusiness("barrio-norte", "Peluquería Barrio Norte", "owner", Plan.FREE, BusinessStatus.TRIAL),
    _DemoBusiness("sala-andes", "Sala Andes", "diego", timezone="America/Lima"),
    _DemoBusiness("masajes-quito", "Masajes Quito", "lucia", Plan.PRO, timezone="America/Guayaquil"),
    _DemoBusiness("old-town-bikes", "Old Town Bikes", "owner2", Plan.FREE, language="en", timezone="Europe/Dublin"),
    _DemoBusiness(
        "riverside",
        "Riverside Physiotherapy",
        "owner2",
        status=BusinessStatus.SUSPENDED,
        language="en",
        timezone="America/New_York",
        extra={"reason": _UNPAID},
    ),
    _DemoBusiness("el-nogal", "Panadería El Nogal", "paula", Plan.FREE),
    _DemoBusiness("casa-luz", "Casa Luz", "paula", Plan.PRO, BusinessStatus.CANCELLED, extra={"reason": _CLOSED}),
    _DemoBusiness(
        "northern-lights", "Northern Lights Yoga", "diego", Plan.FREE, BusinessStatus.TRIAL, "en", "America/Toronto"
    ),
)
_TRADES = ("Café", "Taller", "Clínica", "Estudio", "Librería", "Florería", "Gimnasio", "Bakery", "Garage", "Barber")
_PLACES = ("del Río", "San Telmo", "La Merced", "Miraflores", "del Sol", "Providencia", "Hill", "Station", "Harvest")
_OWNERS = ("owner", "owner2", "diego", "lucia", "paula", "teresa")


def _demo_businesses(size: int) -> Iterator[_DemoBusiness]:
    yield from _KNOWN
    chance = random.Random("businesses")
    for number in range(len(_KNOWN) * (size - 1)):
        name = f"{chance.choice(_TRADES)} {chance.choice(_PLACES)} {number + 2}"
        slug = folded(name).replace(" ", "-")
        yield _DemoBusiness(slug, name, chance.choice(_OWNERS), chance.choice(list(Plan)))


def seed(size: int = 1) -> int:
    """Add the missing businesses; returns their number."""
    demo_businesses = list(_demo_businesses(size))
    existing = read.get_many([keys.TENANT.key(tenant=business.slug) for business in demo_businesses])
    missing = [business for business, found in zip(demo_businesses, existing, strict=True) if found is None]
    for business in missing:
        with in_recent_weeks(business.slug):
            _add(business)
    return len(missing)


def _add(demo_business: _DemoBusiness) -> None:
    command = Command(f"demo-business-{demo_business.slug}", ADMIN)
    values = {
        "name": demo_business.name,
        "slug": demo_business.slug,
        "status": demo_business.status,
        "plan": demo_business.plan,
        "language": demo_business.language,
        "timezone": demo_business.timezone,
    }
    business = businesses.create(values | demo_business.extra, command=command)
    members.add(business.id, f"{demo_business.owner}@{DOMAIN}", command=command.part("owner"))
    for name, role in demo_business.staff.items():
        members.add(business.id, f"{name}@{DOMAIN}", role, command=command.part(name))


def seed_demo(size: int) -> str:
    return f"{seed(size)} businesses"
