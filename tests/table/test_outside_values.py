"""Values as outside writers store them: what each attribute reads, and that the stored form stays."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from bookings.items import Booking, Provider, Service
from branding.items import BrandMeta, PublishedMarker, Theme
from dashboard.platform.accounts.items import Person
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import TimestampAttribute
from dashboard.table.transactions import Transaction
from forum.items import Comment, ModerationEntry, Post
from franchises.items import StockItem
from tests.businesses.business_pages import put_raw
from tests.conftest import ACTOR, every_engine

NOON = datetime(2026, 5, 19, 12, 0, tzinfo=UTC)


def booking(**attributes: Any) -> Raw:
    key = keys.BOOKING.key(tenant="andina", provider="pro_1", start="2026-05-19T12:00:00Z", booking="bkg_1")
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}, **attributes}


def service(**attributes: Any) -> Raw:
    key = keys.SERVICE.key(tenant="andina", service="svc_1")
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}, **attributes}


@pytest.mark.parametrize(
    "value",
    [
        {"S": "2026-05-19T12:00:00Z"},
        {"S": "2026-05-19T12:00:00.000Z"},
        {"S": "2026-05-19T12:00:00.000000+00:00"},
        {"S": "2026-05-19T07:00:00-05:00"},
        {"S": "2026-05-19T12:00"},
        {"S": "2026-05-19 12:00:00"},
        {"N": "1779192000"},
        {"N": "1779192000000"},
        {"N": "1779192000.0"},
    ],
)
def test_a_time_in_every_form(value: dict[str, str]) -> None:
    assert Booking.of(booking(endTime=value)).end_time == NOON


@pytest.mark.parametrize(
    "value", [{"S": "soon"}, {"N": "3"}, {"N": "1e300"}, {"BOOL": True}, {"NULL": True}, {"L": []}]
)
def test_what_is_no_time_reads_as_none(value: dict[str, Any]) -> None:
    assert Booking.of(booking(endTime=value)).end_time is None


@pytest.mark.parametrize("value", [{"N": "25000"}, {"S": "25000"}, {"S": "25000.0"}, {"S": " 25000 "}])
def test_a_price_in_every_form(value: dict[str, str]) -> None:
    assert Service.of(service(price=value)).price == Decimal(25000)


@pytest.mark.parametrize("value", [{"S": "25,000"}, {"S": "free"}, {"S": "NaN"}, {"S": "1e9"}, {"M": {}}])
def test_what_is_no_price_reads_as_none(value: dict[str, Any]) -> None:
    assert Service.of(service(price=value)).price is None


@pytest.mark.parametrize("value", [{"N": "30"}, {"S": "30"}, {"S": "30.0"}])
def test_a_number_in_every_form(value: dict[str, str]) -> None:
    assert Service.of(service(durationMinutes=value)).minutes == 30


@pytest.mark.parametrize("value", [{"L": [{"S": "svc_1"}, {"S": "svc_2"}]}, {"SS": ["svc_2", "svc_1"]}])
def test_a_list_in_every_form(value: dict[str, Any]) -> None:
    key = keys.PROVIDER.key(tenant="andina", provider="pro_1")
    provider = Provider.of({"PK": {"S": key.pk}, "SK": {"S": key.sk}, "services": value})
    assert provider.service_ids == ["svc_1", "svc_2"]


@pytest.mark.parametrize("value", [{"BOOL": False}, {"S": "false"}, {"S": "False"}, {"N": "0"}])
def test_a_flag_in_every_form(value: dict[str, Any]) -> None:
    assert not Service.of(service(active=value)).is_active


@pytest.mark.parametrize("value", [{"S": "12"}, {"N": "12"}])
def test_a_text_in_every_form(value: dict[str, str]) -> None:
    assert Service.of(service(name=value)).name == "12"


CLASSES_OF_OUTSIDE_ITEMS: list[tuple[type[Item], Key]] = [
    (Theme, keys.THEME.key(tenant="andina", version=3)),
    (BrandMeta, keys.BRAND_META.key(tenant="andina")),
    (PublishedMarker, keys.PUBLISHED.key(tenant="andina")),
    (Post, keys.POST.key(post="p1")),
    (Comment, keys.COMMENT.key(post="p1", comment="c1")),
    (ModerationEntry, keys.MODERATION.key(date="2026-05-19", at="2026-05-19T12:00:00Z", admin="a", action="1")),
    (Person, keys.PERSON.key(email="ana@example.com")),
    (Business, keys.TENANT.key(tenant="andina")),
    (ApiKey, keys.API_KEY.key(tenant="andina", key_id="k1")),
    (Booking, keys.BOOKING.key(tenant="andina", provider="p", start="2026-05-19T12:00:00Z", booking="b")),
]
# What one of these classes reads from another type, by type on the wire.
VARIANTS: dict[str, tuple[dict[str, Any], Any]] = {
    "S": ({"N": "12"}, "12"),
    "N": ({"S": " 12 "}, 12),
    "BOOL": ({"S": "True"}, True),
    "L": ({"SS": ["b", "a"]}, ["a", "b"]),
}
# Attributes that outside writers do not write, that decide who may sign in, or for which a number has no meaning.
STRICT: dict[type[Item], frozenset[str]] = {
    Theme: frozenset({"madeFrom", "createdByName"}),
    PublishedMarker: frozenset({"toldOf", "reportedVersion", "publishedByName", "title"}),
    Post: frozenset({"status", "reviewedBy", "reportedBan"}),
    Comment: frozenset({"status", "reviewedBy"}),
    ModerationEntry: frozenset({"operation"}),
    Person: frozenset(
        {
            *("backOfficeRole", "passwordHash", "sessionEpoch", "language", "timezone", "theme", "clearImages"),
            *("linkHash", "totpSeed", "totpStep", "invitedByTenant", "madeHere"),
        }
    ),
}


@pytest.mark.parametrize(("cls", "key"), CLASSES_OF_OUTSIDE_ITEMS, ids=lambda value: getattr(value, "__name__", ""))
def test_every_attribute_of_an_outside_item_accepts_the_other_forms(cls: type[Item], key: Key) -> None:
    own = {attribute.attr_name for attribute in Item.get_attributes().values()}
    attributes = {name: each for name, each in cls.get_attributes().items() if each.attr_name not in own}
    checked = set()
    for name, attribute in attributes.items():
        wire_name, variant = str(attribute.attr_name), VARIANTS.get(attribute.attr_type)
        if isinstance(attribute, TimestampAttribute) or variant is None or wire_name in cls.attributes_from_key:
            continue
        stored, expected = variant
        item = cls.of({"PK": {"S": key.pk}, "SK": {"S": key.sk}, wire_name: stored})
        reads = getattr(item, name) == expected
        assert reads is (wire_name not in STRICT.get(cls, frozenset())), wire_name
        checked.add(wire_name)
    assert checked >= STRICT.get(cls, set())


def test_one_value_that_cannot_be_read_does_not_hide_the_others() -> None:
    found = Service.of(service(price={"S": "25000"}, durationMinutes={"S": "long"}, name={"N": "12"}))
    assert (found.price, found.minutes, found.name) == (Decimal(25000), None, "12")
    assert found.mistyped == {"durationMinutes"}


def test_numbers_stored_as_text_are_sorted_as_numbers() -> None:
    stock = StockItem.of({"PK": {"S": "acme"}, "SK": {"S": "product-1"}, "branchId": {"S": "b1"}, "stock": {"S": "7"}})
    assert {key.sk for key in stock.index_keys() if key.index == "GSI_Type"} == {"0000000007"}


@every_engine
def test_an_edit_leaves_other_values_in_their_form(table: str) -> None:
    raw = service(price={"S": "25000.0"}, durationMinutes={"S": "30"}, createdAt={"S": "2026-05-19T14:02:07.318Z"})
    put_raw(raw)
    found = read.get(Service, keys.SERVICE.key(tenant="andina", service="svc_1"))
    assert found is not None
    found.name = "Haircut"
    transaction = Transaction(new_command(ACTOR))
    transaction.save(found, revision=0)
    transaction.commit(found)
    stored = read.get(Service, found.key)
    assert stored is not None and stored.name == "Haircut"
    assert {name: stored.raw[name] for name in raw} == raw


@every_engine
def test_a_restored_item_has_its_values_in_their_form(table: str) -> None:
    raw = service(price={"S": "25000.0"}, createdAt={"S": "2026-05-19T14:02:07.318Z"}, extra={"NS": ["1"]})
    transaction = Transaction(new_command(ACTOR))
    transaction.commit(transaction.restore(raw))
    stored = read.get(Service, keys.SERVICE.key(tenant="andina", service="svc_1"))
    assert stored is not None and stored.revision == 1
    assert {name: stored.raw[name] for name in raw} == raw


def test_an_item_that_moves_keeps_its_values_in_their_form() -> None:
    original = Booking.of(booking(price={"S": "25000.0"}, createdAt={"S": "2026-05-19T14:02:07.318Z"}))
    moved = Booking.new(tenant="andina", provider="pro_2", start=NOON, booking="bkg_1")
    moved.price, moved.created_at, moved.moved_from = original.price, original.created_at, original
    moved.note = "moved"
    transaction = Transaction(new_command(ACTOR))
    transaction.create(moved)
    written = transaction._steps[0].body["Item"]
    assert written["price"] == {"S": "25000.0"} and written["createdAt"] == {"S": "2026-05-19T14:02:07.318Z"}
    assert written["note"] == {"S": "moved"}
