"""One item of each kind for which the follower has a rule, as outside writers put it."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from tests.stream.helpers import AT, with_key

TENANT = "andina"
Factory = Callable[[str, int], Raw]


def _person(name: str, serial: int) -> Raw:
    values = {"email": f"{name}@example.com", "name": f"N{serial}", "createdAt": AT, "progress": {"L": []}}
    return with_key(keys.PERSON.key(email=f"{name}@example.com"), values)


def _comment(name: str, serial: int) -> Raw:
    key = keys.COMMENT.key(post=name, comment=f"c-{name}")
    return with_key(
        key, {"content": f"text {serial}", "status": "active", "userId": "ana@example.com", "createdAt": AT}
    )


def _tenant(name: str, serial: int) -> Raw:
    return with_key(keys.TENANT.key(tenant=name), {"name": f"Business {serial}", "slug": name, "status": "ACTIVE"})


def _room(name: str, serial: int) -> Raw:
    return with_key(keys.ROOM.key(room=name), {"openAt": AT, "manualOverride": {"NULL": True}, "title": f"t{serial}"})


def _room_content(name: str, serial: int) -> Raw:
    return with_key(keys.ROOM_CONTENT.key(room=name, version=1), {"title": f"t{serial}", "type": "vimeo"})


def _service(name: str, serial: int) -> Raw:
    values = {"name": f"Service {serial}", "category": "spa", "durationMinutes": 30, "price": "25000"}
    return with_key(keys.SERVICE.key(tenant=TENANT, service=name), values)


def _provider(name: str, serial: int) -> Raw:
    values = {"name": f"Provider {serial}", "timezone": "America/Santiago", "slug": {"NULL": True}}
    return with_key(keys.PROVIDER.key(tenant=TENANT, provider=name), values)


def _availability(name: str, serial: int) -> Raw:
    ranges = {"L": [{"M": {"startTime": {"S": "09:00"}, "endTime": {"S": f"{10 + serial % 8}:00"}}}]}
    return with_key(keys.AVAILABILITY.key(tenant=TENANT, provider=name, weekday="MON"), {"timeRanges": ranges})


def _booking(name: str, serial: int) -> Raw:
    day = 1 + sum(map(ord, name)) % 28
    start, end = f"2026-05-{day:02}T12:00:00Z", f"2026-05-{day:02}T12:{10 + serial % 40}:00Z"
    key = keys.BOOKING.key(tenant=TENANT, provider="ana", start=start, booking=name)
    status = ("PENDING", "CONFIRMED", "CANCELLED")[serial % 3]
    return with_key(key, {"status": status, "endTime": end, "serviceId": "spa", "customerId": "c1"})


def _page(name: str, serial: int) -> Raw:
    values = {"title": f"Page {serial}", "slug": f"/{name}", "status": "Draft", "Type": "Page", "createdAt": AT}
    return with_key(keys.CONTENT.key(tenant=TENANT, node=name), values)


def _lead(name: str, serial: int) -> Raw:
    values = {"email": f"{name}@example.com", "name": f"N{serial}", "status": "New", "createdAt": AT}
    return with_key(keys.LEAD.key(tenant=TENANT, email=f"{name}@example.com"), values)


def _theme(name: str, serial: int) -> Raw:
    values = {"status": "DRAFT", "version": serial + 1, "updatedAt": AT, "type": "THEME"}
    return with_key(keys.THEME.key(tenant=name, version=1), values)


def _stock(name: str, serial: int) -> Raw:
    return with_key(keys.STOCK.key(tenant=name, product="p1"), {"name": "P", "stock": serial, "branchId": "b1"})


def _poll(name: str, serial: int) -> Raw:
    """A kind that is not known here."""
    return with_key(Key(f"TENANT#{name}", "POLL#p1"), {"title": f"-{serial} %"})


FACTORIES: tuple[Factory, ...] = (
    *(_person, _comment, _tenant, _room, _room_content, _service, _provider, _availability, _booking),
    *(_page, _lead, _theme, _stock, _poll),
)
