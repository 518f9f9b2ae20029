"""Items of the booking service in the form in which it writes them, and the screens where people see them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from tests.stream.outside_screens import AT_MICROSECONDS, BUSINESS, DAY, HOME, PAST, PROVIDER, Screen, item, shown_on

BOOKINGS = f"{HOME}bookings/"
NEXT_DAY = DAY + timedelta(days=1)


def _calendar(day: datetime, **params: str) -> str:
    return f"{BOOKINGS}?" + "&".join(f"{name}={value}" for name, value in ({"day": f"{day:%Y-%m-%d}"} | params).items())


def _booking(id: str, start: datetime, *, at: str = "", **values: Any) -> Raw:
    """A booking as the service writes it; `at` is its start in another form than with the offset +00:00."""
    text = at or start.isoformat()
    return item(
        keys.BOOKING.key(tenant=BUSINESS, provider=PROVIDER, start=text, booking=id),
        **{
            "bookingId": id,
            "tenantId": BUSINESS,
            "serviceId": "svc_5c0ffee1",
            "providerId": PROVIDER,
            "roomId": None,
            "tenantId_providerId": f"{BUSINESS}_{PROVIDER}",
            "start": text,
            "startTime": text,
            "endTime": (start + timedelta(minutes=30)).isoformat(),
            "status": "CONFIRMED",
            "paymentStatus": "NONE",
            "createdAt": AT_MICROSECONDS,
            "dteFolio": None,
            "dtePdfUrl": None,
            "totalAmount": "25000.0",
            "customerId": f"md5-{id}",
            "clientFirstName": "Ana",
            "clientLastName": "Pino",
            "clientEmail": "ana.pino@mail.example",
        }
        | values,
    )


@shown_on(
    Screen("admin", "/businesses/", "Nueva Pyme {n}"),
    Screen("owner", HOME, "Nueva Pyme {n}"),
    Screen("owner", f"{HOME}settings/", "Nueva Pyme {n}"),
    Screen("owner", "/", "Nueva Pyme {n}"),
)
def _business(n: int) -> Iterator[Raw | Key]:
    yield item(
        keys.TENANT.key(tenant=BUSINESS),
        tenantId=BUSINESS,
        name=f"Nueva Pyme {n}",
        slug="nueva-pyme-3fa1",
        status="ACTIVE",
        plan="LITE",
        ownerUserId="7d0c1f3e-2222-4a2b-9c3d-bbbbbbbbbbbb",
        billingEmail="hola@pyme.example",
        settings={"aiMode": "NLP", "profile": {"timezone": "America/Santiago"}},
        whatsappQuota=0,
        isPublished=False,
        createdAt=AT_MICROSECONDS,
    )


@shown_on(
    Screen("owner", f"{HOME}keys/", "Sitio Web {n}"),
    Screen("owner", f"{HOME}keys/key_9fe31a20/", "Sitio Web {n}"),
)
def _api_key(n: int) -> Iterator[Raw | Key]:
    yield item(
        keys.API_KEY.key(tenant=BUSINESS, key_id="key_9fe31a20"),
        tenantId=BUSINESS,
        apiKeyId="key_9fe31a20",
        apiKeyHash="6b01c344dbe5827bec3e711f9debb1e0cf4bf98478461b140c813fb873f88591",
        status="ACTIVE",
        allowedOrigins=["*"],
        rateLimit=1000,
        createdAt=AT_MICROSECONDS,
        name=f"Sitio Web {n}",
        keyPreview="sk_AbCdE...9xYz",
    )


@shown_on(
    Screen("owner", f"{BOOKINGS}services/", "Masaje relajante {n}"),
    Screen("owner", f"{BOOKINGS}services/svc_5c0ffee1/", "Masaje relajante {n}"),
    Screen("owner", f"{BOOKINGS}new/", "Masaje relajante {n}"),
)
def _service(n: int) -> Iterator[Raw | Key]:
    yield item(
        keys.SERVICE.key(tenant=BUSINESS, service="svc_5c0ffee1"),
        tenantId=BUSINESS,
        serviceId="svc_5c0ffee1",
        name=f"Masaje relajante {n}",
        category="General" if n == 1 else "Spa",
        durationMinutes=60,
        active=True,
        locationType=["PHYSICAL"],
        price="25000" if n == 1 else "25000.0",
    )


@shown_on(
    Screen("owner", f"{BOOKINGS}providers/", "Dana Ruiz {n}"),
    Screen("owner", f"{BOOKINGS}providers/{PROVIDER}/", "Dana Ruiz {n}"),
    Screen("owner", _calendar(DAY), "Dana Ruiz {n}"),
    Screen("owner", f"{BOOKINGS}providers/{PROVIDER}/hours/", "13:0{n}"),
)
def _provider(n: int) -> Iterator[Raw | Key]:
    yield item(
        keys.PROVIDER.key(tenant=BUSINESS, provider=PROVIDER),
        tenantId=BUSINESS,
        providerId=PROVIDER,
        name=f"Dana Ruiz {n}",
        services=["svc_5c0ffee1", "svc_f4ee0000"],
        timezone="UTC",
        metadata={"traits": ["calma"]},
        active=True,
        slug=None,
        googleIntegration={"refreshToken": "1//0gSecret"},
    )
    ranges = [{"startTime": "09:00", "endTime": f"13:0{n}"}]
    for weekday in ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"):
        where = keys.AVAILABILITY.key(tenant=BUSINESS, provider=PROVIDER, weekday=weekday)
        yield item(where, timeRanges=ranges, breaks=[{"startTime": "11:00", "endTime": "11:15"}])


@shown_on(
    Screen("owner", _calendar(DAY), "Con hora {n} Pino"),
    Screen("owner", _calendar(DAY, view="week"), "Con hora {n} Pino"),
    Screen("owner", _calendar(DAY, view="agenda"), "Con hora {n} Pino"),
    Screen("owner", _calendar(DAY, view="agenda", status="PENDING"), "Con hora", after=(1,)),
    Screen("owner", _calendar(DAY, view="agenda", status="CONFIRMED"), "Con hora", after=(2,)),
    Screen("owner", f"{BOOKINGS}bkg_11aa22bb/", "Con hora {n} Pino"),
)
def _pending_booking(n: int) -> Iterator[Raw | Key]:
    status = {"status": "PENDING", "paymentStatus": "PENDING"} if n == 1 else {"status": "CONFIRMED"}
    yield _booking("bkg_11aa22bb", DAY, clientFirstName=f"Con hora {n}", **status)


@shown_on(
    Screen("owner", _calendar(DAY), "Desfasada Pino", after=(1,)),
    Screen("owner", _calendar(NEXT_DAY), "Desfasada Pino", after=(2,)),
    Screen("owner", f"{BOOKINGS}bkg_22bb33cc/", "Desfasada Pino"),
)
def _moved_booking(n: int) -> Iterator[Raw | Key]:
    """A start with another offset; the second write moves it to the next day, under another key."""
    hour = timedelta(hours=1)
    first = f"{DAY - 2 * hour:%Y-%m-%dT%H:%M:%S}-03:00"
    if n == 2:
        yield keys.BOOKING.key(tenant=BUSINESS, provider=PROVIDER, start=first, booking="bkg_22bb33cc")
    start = DAY + hour if n == 1 else NEXT_DAY
    yield _booking("bkg_22bb33cc", start, at=first if n == 1 else "", clientFirstName="Desfasada")


@shown_on(
    Screen("owner", _calendar(DAY), "Reservada Pino"),
    Screen("owner", f"{BOOKINGS}bkg_99ff00aa/", "SOFT_LOCKED", after=(1,)),
    Screen("owner", f"{BOOKINGS}bkg_99ff00aa/", "Reservada Pino"),
    Screen("owner", _calendar(DAY, view="agenda", status="CONFIRMED"), "Reservada Pino", after=(2,)),
)
def _locked_booking(n: int) -> Iterator[Raw | Key]:
    start = DAY + timedelta(hours=2)
    expiry = {"softLockExpiresAt": start.isoformat()} if n == 1 else {}
    status = "SOFT_LOCKED" if n == 1 else "CONFIRMED"
    yield _booking("bkg_99ff00aa", start, status=status, clientFirstName="Reservada", **expiry)


@shown_on(
    Screen("owner", _calendar(DAY), "Anulada Pino", after=(1,)),
    Screen("owner", _calendar(DAY, status="ALL"), "Anulada Pino"),
    Screen("owner", _calendar(DAY, view="agenda", status="CANCELLED"), "Anulada Pino", after=(2,)),
)
def _cancelled_booking(n: int) -> Iterator[Raw | Key]:
    status = "CONFIRMED" if n == 1 else "CANCELLED"
    yield _booking("bkg_44dd55ee", DAY + timedelta(hours=3), status=status, clientFirstName="Anulada")


@shown_on(
    Screen("owner", _calendar(PAST), "Marta Soto Díaz {n}"),
    Screen("owner", f"{BOOKINGS}unconfirmed/", "Marta Soto Díaz 1", after=(1,)),
    Screen("owner", f"{BOOKINGS}bkg_0ld00001/", "Marta Soto Díaz {n}"),
    Screen("owner", _calendar(PAST, view="agenda", status="NO_SHOW"), "Marta Soto Díaz", after=(2,)),
)
def _old_booking(n: int) -> Iterator[Raw | Key]:
    """A row of before: times without a zone, one name, no start time."""
    text, end = f"{PAST:%Y-%m-%dT%H:%M:%S}", f"{PAST + timedelta(hours=1):%Y-%m-%dT%H:%M:%S}"
    raw = _booking("bkg_0ld00001", PAST, at=text, status="PENDING" if n == 1 else "NO_SHOW", endTime=end)
    raw["clientName"] = {"S": f"Marta Soto Díaz {n}"}
    for name in ("startTime", "clientFirstName", "clientLastName", "customerId", "totalAmount"):
        del raw[name]
    yield raw


@shown_on(
    Screen("owner", f"{BOOKINGS}customers/", "Juan {n} Soto"),
    Screen("owner", f"{BOOKINGS}customers/?q=juan{{n}}@mail.example", "Juan {n} Soto"),
    Screen("owner", f"{BOOKINGS}customers/c-juan/", "Juan {n} Soto"),
    Screen("owner", f"{BOOKINGS}customers/c-juan/", "Masaje relajante"),
)
def _customer(n: int) -> Iterator[Raw | Key]:
    key = keys.CUSTOMER.key(tenant=BUSINESS, customer="c-juan")
    yield item(key, tenantId=BUSINESS, name=f"Juan {n} Soto", email=f"juan{n}@mail.example", phone="+56900000001")
    yield _booking("bkg_77aa88bb", DAY + timedelta(hours=4), customerId="c-juan", clientFirstName=f"Juan {n}")
