"""Items that outside writers put, repaired as the follower does it."""

from __future__ import annotations

from typing import Any

from dashboard.core.ids import new_id
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import UnknownBusiness
from dashboard.platform.stream.batches import repair
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import ItemChange
from dashboard.table import connection, keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

COGNITO = "7d0c1f3e-2222-4a2b-9c3d-bbbbbbbbbbbb"


def put_raw(key: Key, **attributes: Any) -> Raw:
    raw: Raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    raw |= {name: to_attribute(value) for name, value in attributes.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    return raw


def follow(raw: Raw, old: Raw | None = None) -> bool:
    """Repair what an outside writer wrote; returns whether anything was written."""
    return repair(ItemChange.of(Change(old, raw)))


def outside_id(name: str = "Pan_Caliente") -> str:
    """An id as outside writers make them, which no other test uses."""
    return f"{name}-{new_id()[-8:]}"


def make_unknown_business(business: str = "", name: str = "Panadería Pan Caliente") -> UnknownBusiness:
    """A brand and a theme of an id that is no business, as the follower recorded them."""
    business = business or outside_id()
    follow(put_raw(keys.BRAND_META.key(tenant=business), type="BUSINESS", name=name))
    follow(put_raw(keys.THEME.key(tenant=business, version=1), type="THEME", version=1, status="DRAFT"))
    unknown = queries.find_unknown_business(business)
    assert unknown is not None
    return unknown


def put_owner(*businesses: str) -> None:
    """Record an owner of another system, as the follower does."""
    put_raw(keys.OUTSIDE_OWNER.key(owner=COGNITO), businesses=list(businesses), firstSeenAt="2026-05-10T12:00:00Z")


def put_tenant(business: str, **attributes: Any) -> Raw:
    values = {"name": "Nueva Pyme", "slug": business, "status": "ACTIVE", "plan": "LITE"} | attributes
    return put_raw(keys.TENANT.key(tenant=business), **values)
