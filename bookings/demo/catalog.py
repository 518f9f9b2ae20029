"""The catalogs of two businesses: services, staff members with their hours, customers and rules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from bookings.hours import WEEKDAYS, DayHours, Range
from bookings.queries.services import services_of
from bookings.rules import OPEN_PAGE
from bookings.services import catalog, customers, hours, providers, rules
from bookings.week import Week
from dashboard.core.clock import now
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.logins import DOMAIN
from dashboard.platform.demos.moments import days_ago
from dashboard.table.commands import Actor, Command

# Name, category, duration, buffers before and after, price.
_ServiceRow = tuple[str, str, int, int, int, str]
_MORNING, _AFTERNOON, _LATE = Range(540, 780), Range(900, 1140), Range(840, 1260)
_WHOLE, _SHORT = Range(480, 1020), Range(600, 840)
_COFFEE, _LUNCH = Range(660, 675), Range(720, 765)
_SPLIT = DayHours((_MORNING, _AFTERNOON), (_COFFEE,))


@dataclass(frozen=True)
class _StaffMember:
    name: str
    bio: str
    # Their services, as indexes into `services`.
    services: tuple[int, ...]
    zone: str
    week: dict[str, DayHours]
    # They have a day off in this number of days.
    off_in: int = 0


@dataclass(frozen=True)
class _Business:
    id: str
    owner: Actor
    currency: str
    services: tuple[_ServiceRow, ...]
    staff: tuple[_StaffMember, ...]
    customers: tuple[tuple[str, str, str], ...]


_WEEKDAYS = WEEKDAYS[:5]
_ANDINA = _Business(
    "andina",
    Actor(f"owner@{DOMAIN}", "Olivia Andrade"),
    "CLP",
    (
        ("Masaje descontracturante", "masajes", 60, 0, 10, "25000"),
        ("Masaje relajante", "masajes", 45, 0, 10, "19000"),
        ("Drenaje linfático", "masajes", 50, 5, 10, "28000"),
        ("Limpieza facial", "cosmética", 40, 0, 5, "22000"),
        ("Manicura", "cosmética", 30, 0, 0, "12000"),
        ("Depilación completa", "cosmética", 75, 5, 15, "34000"),
    ),
    (
        _StaffMember(
            "María González",
            "Masajista profesional",
            (0, 1, 2),
            "America/Santiago",
            {**dict.fromkeys(_WEEKDAYS, _SPLIT), "SAT": DayHours((_SHORT,))},
            off_in=9,
        ),
        _StaffMember(
            "Joaquín Reyes",
            "Masajes y drenaje",
            (0, 1, 2),
            "America/Santiago",
            dict.fromkeys(("TUE", "WED", "THU", "FRI", "SAT"), DayHours((_LATE,), (Range(1050, 1065),))),
        ),
        _StaffMember(
            "Antonia Muñoz",
            "Cosmetóloga",
            (3, 4, 5),
            "America/Santiago",
            dict.fromkeys(_WEEKDAYS, DayHours((_WHOLE,), (_LUNCH,))),
        ),
        _StaffMember(
            "Lucas Silva", "Manos y pies", (4,), "America/Punta_Arenas", dict.fromkeys(("MON", "WED"), _SPLIT)
        ),
    ),
    (
        ("Juan Pérez", "juan.perez@example.com", "+56 9 1234 5678"),
        ("Carolina Soto", "carolina.soto@example.com", "+56 9 8765 4321"),
        ("Ignacio Vera", "", "+56 2 2345 6789"),
        ("Fernanda Rojas", "fernanda@example.com", ""),
        ("Tomás Bravo", "tomas.bravo@example.com", "+56 9 5555 0101"),
        ("Camila Ortiz", "camila.ortiz@example.com", "+56 9 5555 0102"),
    ),
)
_HARBOUR = _Business(
    "harbour",
    Actor(f"owner2@{DOMAIN}", "Óscar Nguyen"),
    "GBP",
    (
        ("Barista course", "courses", 120, 15, 15, "65.00"),
        ("Tasting for two", "tastings", 60, 0, 15, "24.50"),
        ("Latte art, one to one", "courses", 45, 0, 5, "30.00"),
    ),
    (
        _StaffMember(
            "Harriet Cole",
            "Runs the roastery",
            (0, 1),
            "Europe/London",
            dict.fromkeys(_WEEKDAYS, DayHours((_WHOLE,), (_LUNCH,))),
            off_in=5,
        ),
        _StaffMember(
            "Sam Okafor",
            "Latte art",
            (1, 2),
            "Europe/London",
            dict.fromkeys(("THU", "FRI", "SAT", "SUN"), DayHours((_LATE,))),
        ),
    ),
    (
        ("Grace Hill", "grace@example.com", "+44 20 7946 0101"),
        ("Owen Price", "owen.price@example.com", ""),
        ("Priya Nair", "priya@example.com", "+44 20 7946 0102"),
    ),
)


def seed() -> int:
    """Add what is missing, and return how many items were added."""
    return sum(_fill(each) for each in (_ANDINA, _HARBOUR))


def _fill(business: _Business) -> int:
    current = find_business(business.id)
    if current is None or services_of(business.id, limit=1).items:
        return 0
    with days_ago(20, f"catalog {business.id}"):
        service_ids = [_add_service(business, number) for number in range(len(business.services))]
        for number in range(len(business.staff)):
            _add_staff_member(business, number, service_ids, current.timezone)
        for number, (name, email, phone) in enumerate(business.customers):
            values = {"name": name, "email": email, "phone": phone}
            customers.create(business.id, values, command=_command(business, f"customer-{number}"))
        rule_values = {
            "notice_minutes": 60,
            "horizon_days": 60,
            "step_minutes": 15,
            "currency": business.currency,
            "online_page": OPEN_PAGE,
        }
        rules.save(business.id, rule_values, revision=current.revision, command=_command(business, "rules"))
    return len(business.services) + len(business.staff) + len(business.customers)


def _add_service(business: _Business, number: int) -> str:
    name, category, minutes, before, after, price = business.services[number]
    values = {
        "name": name,
        "category": category,
        "duration_minutes": minutes,
        "buffer_before": before,
        "buffer_after": after,
        "price": Decimal(price),
        "currency": business.currency,
    }
    return catalog.create(business.id, values, command=_command(business, f"service-{number}")).id


def _add_staff_member(business: _Business, number: int, service_ids: list[str], zone: str | None) -> None:
    member = business.staff[number]
    values = {"name": member.name, "bio": member.bio, "timezone": member.zone}
    services = {"services": [service_ids[each] for each in member.services]}
    created = providers.create(business.id, values | services, command=_command(business, f"provider-{number}"))
    today: date = now().date()
    # The clock is set back by 20 days here.
    off = today + timedelta(days=20 + member.off_in)
    week = Week(member.week, {off: None} if member.off_in else {}, today)
    hours.save(
        business.id,
        created.id,
        week,
        revision=0,
        business_zone=zone,
        command=_command(business, f"provider-{number}-hours"),
    )


def _command(business: _Business, name: str) -> Command:
    return Command(f"demo-{business.id}-{name}", business.owner)
