"""Items of other services with any value in any attribute: every screen shows them, every act answers in words."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from bookings.items import Availability, Booking, BookingRef, Customer, Provider, ProviderDay, Service
from dashboard.table import connection, keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import BUSINESS, HOUR, MONDAY, at, open_shop
from tests.bookings.screens import BOOKINGS, NEW

# What another service may have put where we look for something else; none leaves it out.
ODD: dict[str, dict[str, Any] | None] = {
    "missing": None,
    "number": {"N": "-7.5"},
    "map": {"M": {"startTime": {"N": "5"}, "noticeMinutes": {"L": []}, "x": {"NULL": True}}},
    "list": {"L": [{"S": "masaje"}, {"N": "5"}, {"NULL": True}, {"M": {"date": {"S": "x"}, "endTime": {"N": "5"}}}]},
    "null": {"NULL": True},
    "empty": {"S": ""},
    "text": {"S": "\u202e<b>'\"\n🙂%s{{x}}#/.."},
    "bytes": {"B": b"\x00\xff"},
    "long": {"S": "x" * 300_000},
}
DAY = MONDAY.date().isoformat()
SEEN = {"revision": "0"}
HOURS = {"MON_range_0_start": "09:00", "MON_range_0_end": "13:00", "revision": "0"}
CREATE = {"service": "masaje", "provider": "maria", "customer": "juan", "start": f"{DAY}T15:00"}
SCREENS = [
    *(f"{BOOKINGS}?day={DAY}&view={view}" for view in ("day", "week", "agenda")),
    *(f"{BOOKINGS}{name}/" for name in ("services", "providers", "customers")),
    f"{BOOKINGS}customers/?q=a",
    f"{NEW}?service=masaje&provider=maria&day={DAY}&customer=juan",
]
# Where each kind is seen and what is done to it; `{id}` is the item's, or the provider's or booking's it belongs to.
ABOUT: dict[type[Item], tuple[list[str], list[tuple[str, dict[str, str]]]]] = {
    Service: (
        [
            "services/{id}/",
            f"new/?service={{id}}&provider=maria&day={DAY}",
            f"why/?service={{id}}&provider=maria&start={DAY}T10:00",
        ],
        [
            ("", CREATE | {"service": "{id}", "provider": "{id}"}),
            ("services/{id}/", SEEN | {"name": "Corte", "duration_minutes": "30"}),
            ("services/{id}/deactivate/", SEEN),
            ("services/{id}/delete/", SEEN),
        ],
    ),
    Provider: (
        [
            "providers/{id}/",
            "providers/{id}/hours/",
            f"new/?service=masaje&provider={{id}}&day={DAY}",
            f"?view=week&provider={{id}}&day={DAY}",
        ],
        [
            ("", CREATE | {"provider": "{id}"}),
            ("providers/{id}/", SEEN | {"name": "Ana", "timezone": "UTC"}),
            ("providers/{id}/hours/", HOURS),
            ("providers/{id}/deactivate/", SEEN),
            ("providers/{id}/delete/", SEEN),
        ],
    ),
    Customer: (
        ["customers/{id}/"],
        [
            ("", CREATE | {"customer": "{id}"}),
            ("customers/{id}/", SEEN | {"name": "Eva"}),
            ("customers/{id}/delete/", SEEN),
        ],
    ),
    Availability: (
        ["providers/{id}/hours/", f"new/?service=masaje&provider={{id}}&day={DAY}"],
        [("", CREATE | {"provider": "{id}"}), ("providers/{id}/hours/", HOURS), ("providers/{id}/delete/", SEEN)],
    ),
    Booking: (
        ["{id}/", f"{{id}}/reschedule/?provider=maria&day={DAY}", "customers/juan/"],
        [
            ("{id}/confirm/", SEEN),
            ("{id}/cancel/", SEEN),
            ("{id}/reschedule/", SEEN | {"provider": "maria", "start": f"{DAY}T19:00"}),
            ("{id}/pay/", SEEN | {"payment": "PAID"}),
            ("{id}/unconfirm/", SEEN),
            ("{id}/restore/", SEEN),
            ("{id}/no-show/", SEEN),
        ],
    ),
    BookingRef: (["{id}/"], [("{id}/cancel/", SEEN), ("{id}/pay/", SEEN | {"payment": "PAID"})]),
    ProviderDay: ([], [("", CREATE | {"provider": "{id}"})]),
}


def whole(cls: type[Item], id: str) -> dict[Key, Raw]:
    """An item as it should be, last, with what it needs to be seen."""
    business = {"tenant": BUSINESS}
    start, end = to_wire(at(10)), to_wire(at(10) + HOUR)
    does = ["masaje", id]
    hours = {"timeRanges": [{"startTime": "00:00", "endTime": "24:00"}], "breaks": [], "exceptions": []}
    told = {"serviceId": "masaje", "customerId": "juan", "startTime": start, "endTime": end, "status": "PENDING"}
    busy = {"x": {"start": start, "end": end, "status": "CONFIRMED"}}
    person = keys.PROVIDER.key(**business, provider=id), {"name": id, "services": does, "timezone": "UTC"}
    works = keys.AVAILABILITY.key(**business, provider=id, weekday="MON"), hours
    booked = keys.BOOKING.key(**business, provider=id, start=start, booking=id), told
    made: dict[type[Item], list[tuple[Key, dict[str, Any]]]] = {
        Service: [person, works, (keys.SERVICE.key(**business, service=id), {"name": id, "durationMinutes": 30})],
        Provider: [works, person],
        Customer: [(keys.CUSTOMER.key(**business, customer=id), {"name": id})],
        Availability: [person, works],
        Booking: [booked],
        BookingRef: [booked, (keys.BOOKING_REF.key(**business, booking=id), {"providerId": id, "startTime": start})],
        ProviderDay: [person, works, (keys.PROVIDER_DAY.key(**business, provider=id, date=DAY), {"busy": busy})],
    }
    return {key: _with_places(key, values) for key, values in made[cls]}


def _with_places(key: Key, values: dict[str, Any]) -> Raw:
    raw = {name: to_attribute(value) for name, value in {"PK": key.pk, "SK": key.sk, **values}.items()}
    kind = {keys.BOOKING: Booking, keys.AVAILABILITY: Availability}
    for pattern, cls in kind.items():
        if pattern.read(*key):
            for where in cls.of(raw).index_keys():
                short = where.index.replace("_", "")
                raw |= {f"{short}PK": {"S": where.pk}, f"{short}SK": {"S": where.sk}}
    return raw


def put(*raws: Raw) -> None:
    puts = [{"PutRequest": {"Item": raw}} for raw in raws]
    connection.client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: puts})


def odd_names(cls: type[Item]) -> list[str]:
    """What this kind has, and the number that everything is edited by."""
    base = {str(each.attr_name) for each in Item.get_attributes().values()}
    return [*sorted({str(each.attr_name) for each in cls.get_attributes().values()} - base), "revision"]


def answers(client: Client, method: str, path: str, data: dict[str, str] | None = None, about: str = "") -> None:
    answer = getattr(client, method)(path, data or {})
    assert answer.status_code < 500, f"{about}: {method} {path} {data}"


dynoxide = pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
every_oddity = pytest.mark.parametrize("odd", ODD)


@dynoxide
@every_oddity
def test_every_attribute(as_owner: Client, odd: str) -> None:
    """What is done to each takes turns, another one for each oddity; the lists show them all in the end."""
    open_shop()
    cases = [(cls, name) for cls in ABOUT for name in odd_names(cls)]
    for turn, (cls, name) in enumerate(cases, start=list(ODD).index(odd)):
        id, (pages, acts) = f"i{turn}", ABOUT[cls]
        *beside, raw = whole(cls, id).values()
        raw = {each: value for each, value in raw.items() if each != name}
        put(*beside, raw if ODD[odd] is None else raw | {name: ODD[odd] or {}})
        about = f"{cls.__name__}.{name} {odd}"
        if pages and turn % 3 == 0:
            answers(as_owner, "get", BOOKINGS + pages[turn // 3 % len(pages)].format(id=id), about=about)
        where, data = acts[turn % len(acts)]
        sent = {field: value.format(id=id) for field, value in data.items()}
        answers(as_owner, "post", BOOKINGS + where.format(id=id), sent, about)
    for screen in SCREENS:
        answers(as_owner, "get", screen)


@dynoxide
@every_oddity
def test_every_rule(as_owner: Client, odd: str) -> None:
    open_shop()
    key = keys.TENANT.key(tenant=BUSINESS)
    where = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    raw = connection.client().get_item(TableName=settings.DYNAMODB_TABLE, Key=where)["Item"]
    value = ODD[odd] or {"M": {}}
    for booking in [value, *({"M": {name: value}} for name in ("noticeMinutes", "horizonDays", "stepMinutes"))]:
        put(raw | {"settings": {"M": raw["settings"]["M"] | {"booking": booking}}})
        answers(as_owner, "get", SCREENS[-1], about=str(booking)[:80])
        answers(as_owner, "post", f"{BOOKINGS}rules/", {"revision": "1", "notice_minutes": "30"})
    put(raw | {"settings": value})
    answers(as_owner, "get", f"{BOOKINGS}rules/")
