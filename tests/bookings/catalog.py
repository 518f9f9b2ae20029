"""Creates services, staff members, customers and hours for tests, also as an outside writer writes them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.test import Client

from bookings.hours import WEEKDAYS, DayHours, Hours, Range, hours_of
from bookings.items import Customer, Provider, Service
from bookings.queries import providers as queries
from bookings.queries.history import history_of
from bookings.services import catalog, customers, hours, providers
from bookings.week import Week
from dashboard.core.clock import now
from dashboard.table import connection
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.conftest import ACTOR
from tests.ui.html import undo_form

BUSINESS = "andina"
BOOKINGS = f"/b/{BUSINESS}/bookings/"
SERVICES, PROVIDERS, CUSTOMERS = (f"{BOOKINGS}{name}/" for name in ("services", "providers", "customers"))
SANTIAGO = "America/Santiago"
MORNING, AFTERNOON, COFFEE = Range(540, 780), Range(900, 1140), Range(660, 675)
SPLIT = DayHours((MORNING, AFTERNOON), (COFFEE,))
ALWAYS = DayHours((Range(0, 1440),))


def a_service(name: str = "Masaje", *, business: str = BUSINESS, **values: Any) -> Service:
    usual = {"duration_minutes": 60, "price": Decimal(25000), "currency": "CLP", "category": "masajes"}
    return catalog.create(business, {"name": name, **usual, **values}, command=new_command(ACTOR))


def a_provider(
    name: str = "María González", *services: str, zone: str = SANTIAGO, business: str = BUSINESS, **values: Any
) -> Provider:
    fields = {"name": name, "services": list(services), "timezone": zone, **values}
    return providers.create(business, fields, command=new_command(ACTOR))


def a_customer(
    name: str = "Juan Pérez",
    email: str = "juan@example.com",
    phone: str = "+56 9 1234 5678",
    *,
    business: str = BUSINESS,
) -> Customer:
    values = {"name": name, "email": email, "phone": phone}
    return customers.create(business, values, command=new_command(ACTOR))


def today() -> dt.date:
    return now().date()


def a_week(days: Mapping[str, DayHours] | None = None, **options: Any) -> Week:
    return Week(dict.fromkeys(WEEKDAYS, ALWAYS) if days is None else days, options.get("dates", {}), today())


def set_hours(provider: Provider, week: Week, *, revision: int = 0, accepts: str = "") -> Provider:
    options: dict[str, Any] = {"revision": revision, "business_zone": SANTIAGO, "accepts": accepts}
    business = str(provider.key_parts["tenant"])
    return hours.save(business, provider.id, week, command=new_command(ACTOR), **options)


def hours_now(provider_id: str, zone: str = SANTIAGO) -> Hours:
    provider = queries.load_provider(BUSINESS, provider_id)
    return hours_of(provider.zone(zone), queries.hours_of(BUSINESS, provider_id))


def actions(kind: str, item_id: str) -> list[str | None]:
    """The actions in its audit trail, oldest first; those of the same second are in any order."""
    return [each.action for each in reversed(history_of(BUSINESS, kind, item_id))]


# --- As an outside writer writes it ---
def put(pk: str, sk: str, **values: Any) -> None:
    raw = {name: to_attribute(value) for name, value in {"PK": pk, "SK": sk, **values}.items()}
    connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=raw)


def raw_at(pk: str, sk: str) -> dict[str, Any]:
    answer = connection.client().get_item(
        TableName=settings.DYNAMODB_TABLE, Key={"PK": {"S": pk}, "SK": {"S": sk}}, ConsistentRead=True
    )
    found: dict[str, Any] = answer.get("Item", {})
    return found


def put_service(service_id: str, **values: Any) -> None:
    put(f"TENANT#{BUSINESS}", f"SERVICE#{service_id}", **values)


def put_provider(provider_id: str, **values: Any) -> None:
    put(f"TENANT#{BUSINESS}", f"PROVIDER#{provider_id}", **values)


def put_customer(customer_id: str, **values: Any) -> None:
    put(f"TENANT#{BUSINESS}", f"CUSTOMER#{customer_id}", **values)


def put_hours(provider_id: str, weekday: str, **values: Any) -> None:
    put(f"TENANT#{BUSINESS}#PROVIDER#{provider_id}", f"AVAILABILITY#{weekday}", **values)


def put_booking(
    provider_id: str, start: datetime, booking_id: str = "book_1", minutes: int = 60, **values: Any
) -> None:
    """Write a booking with the index keys that our code gives it."""
    attributes = {"status": "CONFIRMED", "endTime": to_wire(start + timedelta(minutes=minutes)), **values}
    business = f"TENANT#{BUSINESS}"
    for name, index in (("customerId", "GSI1"), ("serviceId", "GSI3")):
        if name in attributes:
            word = name.removesuffix("Id").upper()
            attributes |= {f"{index}PK": f"{business}#{word}#{attributes[name]}", f"{index}SK": to_wire(start)}
    put(
        f"{business}#PROVIDER#{provider_id}",
        f"BOOKING#{to_wire(start)}#{booking_id}",
        bookingId=booking_id,
        **attributes,
    )


def seed_items() -> None:
    """Write the examples of the platform's documents."""
    put_service(
        "svc_123",
        tenantId="andina",
        serviceId="svc_123",
        name="Masaje descontracturante",
        description="Masaje de 60 minutos",
        durationMinutes=60,
        price=25000,
        category="masajes",
        active=True,
    )
    put_provider(
        "pro_55",
        tenantId="andina",
        providerId="pro_55",
        name="María González",
        bio="Masajista profesional",
        services=["svc_123", "svc_456"],
        timezone=SANTIAGO,
        active=True,
    )
    ranges = [{"startTime": "09:00", "endTime": "13:00"}, {"startTime": "15:00", "endTime": "19:00"}]
    breaks = [{"startTime": "11:00", "endTime": "11:15"}]
    put_hours("pro_55", "MON", timeRanges=ranges, breaks=breaks, exceptions=[])
    start = datetime(2025, 12, 1, 17, 30, tzinfo=UTC)
    put_booking("pro_55", start, "book_789", serviceId="svc_123", customerId="cust_001", paymentStatus="PAID")


def press_undo(client: Client, page: str) -> Any:
    """Press Undo in the toast of the next page."""
    form = undo_form(client.get(page))
    return client.post(form.action, form.data())
