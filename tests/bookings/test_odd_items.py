"""Items of outside writers with any value in any attribute: no page and no action fails."""

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

# Values that an outside writer may store in any attribute; None leaves the attribute out.
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
REVISION = {"revision": "0"}
HOURS = {"MON_range_0_start": "09:00", "MON_range_0_end": "13:00", "revision": "0"}
CREATE = {"service": "masaje", "provider": "maria", "customer": "juan", "start": f"{DAY}T15:00"}
SCREENS = [
    *(f"{BOOKINGS}?day={DAY}&view={view}" for view in ("day", "week", "agenda")),
    *(f"{BOOKINGS}{name}/" for name in ("services", "providers", "customers")),
    f"{BOOKINGS}customers/?q=a",
    f"{NEW}?service=masaje&provider=maria&day={DAY}&customer=juan",
]
# The pages and actions of each kind; `{id}` is the id of the item, or of its provider or booking.
PAGES_AND_ACTIONS: dict[type[Item], tuple[list[str], list[tuple[str, dict[str, str]]]]] = {
    Service: (
        [
            "services/{id}/",
            f"new/?service={{id}}&provider=maria&day={DAY}",
            f"why/?service={{id}}&provider=maria&start={DAY}T10:00",
        ],
        [
            ("", CREATE | {"service": "{id}", "provider": "{id}"}),
            ("services/{id}/", REVISION | {"name": "Corte", "duration_minutes": "30"}),
            ("services/{id}/deactivate/", REVISION),
            ("services/{id}/delete/", REVISION),
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
            ("providers/{id}/", REVISION | {"name": "Ana", "timezone": "UTC"}),
            ("providers/{id}/hours/", HOURS),
            ("providers/{id}/deactivate/", REVISION),
            ("providers/{id}/delete/", REVISION),
        ],
    ),
    Customer: (
        ["customers/{id}/"],
        [
            ("", CREATE | {"customer": "{id}"}),
            ("customers/{id}/", REVISION | {"name": "Eva"}),
            ("customers/{id}/delete/", REVISION),
        ],
    ),
    Availability: (
        ["providers/{id}/hours/", f"new/?service=masaje&provider={{id}}&day={DAY}"],
        [("", CREATE | {"provider": "{id}"}), ("providers/{id}/hours/", HOURS), ("providers/{id}/delete/", REVISION)],
    ),
    Booking: (
        ["{id}/", f"{{id}}/reschedule/?provider=maria&day={DAY}", "customers/juan/"],
        [
            ("{id}/confirm/", REVISION),
            ("{id}/cancel/", REVISION),
            ("{id}/reschedule/", REVISION | {"provider": "maria", "start": f"{DAY}T19:00"}),
            ("{id}/pay/", REVISION | {"payment": "PAID"}),
            ("{id}/unconfirm/", REVISION),
            ("{id}/restore/", REVISION),
            ("{id}/no-show/", REVISION),
        ],
    ),
    BookingRef: (["{id}/"], [("{id}/cancel/", REVISION), ("{id}/pay/", REVISION | {"payment": "PAID"})]),
    ProviderDay: ([], [("", CREATE | {"provider": "{id}"})]),
}


def complete_items(cls: type[Item], id: str) -> dict[Key, Raw]:
    """A valid item of this kind, after the items that its pages need."""
    business = {"tenant": BUSINESS}
    start, end = to_wire(at(10)), to_wire(at(10) + HOUR)
    services = ["masaje", id]
    hours = {"timeRanges": [{"startTime": "00:00", "endTime": "24:00"}], "breaks": [], "exceptions": []}
    booking = {"serviceId": "masaje", "customerId": "juan", "startTime": start, "endTime": end, "status": "PENDING"}
    busy = {"x": {"start": start, "end": end, "status": "CONFIRMED"}}
    person = keys.PROVIDER.key(**business, provider=id), {"name": id, "services": services, "timezone": "UTC"}
    works = keys.AVAILABILITY.key(**business, provider=id, weekday="MON"), hours
    booked = keys.BOOKING.key(**business, provider=id, start=start, booking=id), booking
    items: dict[type[Item], list[tuple[Key, dict[str, Any]]]] = {
        Service: [person, works, (keys.SERVICE.key(**business, service=id), {"name": id, "durationMinutes": 30})],
        Provider: [works, person],
        Customer: [(keys.CUSTOMER.key(**business, customer=id), {"name": id})],
        Availability: [person, works],
        Booking: [booked],
        BookingRef: [booked, (keys.BOOKING_REF.key(**business, booking=id), {"providerId": id, "startTime": start})],
        ProviderDay: [person, works, (keys.PROVIDER_DAY.key(**business, provider=id, date=DAY), {"busy": busy})],
    }
    return {key: _with_index_keys(key, values) for key, values in items[cls]}


def _with_index_keys(key: Key, values: dict[str, Any]) -> Raw:
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


def attribute_names(cls: type[Item]) -> list[str]:
    """The attributes of this kind, and the revision."""
    base = {str(each.attr_name) for each in Item.get_attributes().values()}
    return [*sorted({str(each.attr_name) for each in cls.get_attributes().values()} - base), "revision"]


def check_answer(client: Client, method: str, path: str, data: dict[str, str] | None = None, about: str = "") -> None:
    answer = getattr(client, method)(path, data or {})
    assert answer.status_code < 500, f"{about}: {method} {path} {data}"


dynoxide = pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
every_odd_value = pytest.mark.parametrize("odd", ODD)


@dynoxide
@every_odd_value
def test_odd_attributes_break_no_page_and_no_action(as_owner: Client, odd: str) -> None:
    """Each item gets one page or action in turn; at the end the lists show all items."""
    open_shop()
    cases = [(cls, name) for cls in PAGES_AND_ACTIONS for name in attribute_names(cls)]
    for turn, (cls, name) in enumerate(cases, start=list(ODD).index(odd)):
        id, (pages, acts) = f"i{turn}", PAGES_AND_ACTIONS[cls]
        *other_items, raw = complete_items(cls, id).values()
        raw = {each: value for each, value in raw.items() if each != name}
        put(*other_items, raw if ODD[odd] is None else raw | {name: ODD[odd] or {}})
        about = f"{cls.__name__}.{name} {odd}"
        if pages and turn % 3 == 0:
            check_answer(as_owner, "get", BOOKINGS + pages[turn // 3 % len(pages)].format(id=id), about=about)
        where, data = acts[turn % len(acts)]
        sent = {field: value.format(id=id) for field, value in data.items()}
        check_answer(as_owner, "post", BOOKINGS + where.format(id=id), sent, about)
    for screen in SCREENS:
        check_answer(as_owner, "get", screen)


@dynoxide
@every_odd_value
def test_odd_booking_rules_break_no_page(as_owner: Client, odd: str) -> None:
    open_shop()
    key = keys.TENANT.key(tenant=BUSINESS)
    where = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    raw = connection.client().get_item(TableName=settings.DYNAMODB_TABLE, Key=where)["Item"]
    value = ODD[odd] or {"M": {}}
    for booking in [value, *({"M": {name: value}} for name in ("noticeMinutes", "horizonDays", "stepMinutes"))]:
        put(raw | {"settings": {"M": raw["settings"]["M"] | {"booking": booking}}})
        check_answer(as_owner, "get", SCREENS[-1], about=str(booking)[:80])
        check_answer(as_owner, "post", f"{BOOKINGS}rules/", {"revision": "1", "notice_minutes": "30"})
    put(raw | {"settings": value})
    check_answer(as_owner, "get", f"{BOOKINGS}rules/")
