"""A service that puts a whole item removes what only this product writes: it comes back, and theirs stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from tests import outside_writes
from tests.conftest import every_engine
from tests.stream.helpers import AT

# By kind: the key, what the service writes, and what only we write.
KINDS: dict[str, tuple[Key, dict[str, Any], dict[str, Any]]] = {
    "customer of the website": (
        keys.CUSTOMER.key(tenant="andina", customer="otto@buyer.example"),
        {"name": "Otto B.", "phone": None, "orderCount": 1, "totalSpent": 553},
        {"email": "otto@buyer.example"},
    ),
    "business of the website": (
        keys.TENANT.key(tenant="andina"),
        {"name": "Fern & Loom", "status": "SUSPENDED", "domain": "fern.example", "plan": "Pro"},
        {
            "settings": {"defaultTimezone": "America/Santiago", "booking": {"stepMinutes": "15"}},
            "statusReason": "Not paid.",
        },
    ),
    "profanity filter": (
        keys.CONFIG.key(name="profanity"),
        {"blacklist": ["tonto"], "severity": {"tonto": "medium"}, "autoModerationThreshold": 0.8},
        {"allowlist": ["tontorrón"], "matching": {"tonto": "word"}, "version": 7, "digest": "abc"},
    ),
    "post": (
        keys.POST.key(post="p1"),
        {"userId": "ana@example.com", "content": "Hola", "status": "active", "createdAt": AT},
        {"announcement": True, "authorName": "Ana"},
    ),
    "comment": (
        keys.COMMENT.key(post="p1", comment="c1"),
        {"userId": "ana@example.com", "content": "Hola", "status": "active", "createdAt": AT},
        {"parentId": "c0", "authorName": "Ana"},
    ),
}


def raw_of(key: Key, **values: Any) -> Raw:
    attributes = {"PK": key.pk, "SK": key.sk} | values
    return {name: to_attribute(value) for name, value in attributes.items()}


@every_engine
@pytest.mark.parametrize("kind", KINDS)
def test_what_only_we_write_survives_a_put(table: str, kind: str) -> None:
    key, theirs, ours = KINDS[kind]
    outside_writes.put(raw_of(key, **theirs | ours, revision=3))
    put = raw_of(key, **theirs)
    assert outside_writes.follow(outside_writes.put(put))
    stored = outside_writes.raw_at(key) or {}
    expected = put | raw_of(key, **ours, revision=4)
    assert {name: stored.get(name) for name in expected} == expected


def test_an_update_that_removes_one_of_our_attributes_is_left_alone(table: str) -> None:
    """It keeps the revision: only a Put removes everything that it does not know."""
    key, theirs, ours = KINDS["customer of the website"]
    outside_writes.put(raw_of(key, **theirs | ours, revision=3))
    outside_writes.follow(outside_writes.update(key, email=None))
    assert "email" not in (outside_writes.raw_at(key) or {})


def test_settings_of_a_business_are_restored_entry_by_entry(table: str) -> None:
    key = keys.TENANT.key(tenant="andina")
    ours = {"language": "es", "booking": {"stepMinutes": "15"}, "widgetConfig": {"color": "red"}}
    outside_writes.put(raw_of(key, name="Andina", status="ACTIVE", settings=ours, revision=3))
    theirs = {"language": "en", "ai": {"enabled": True}}
    outside_writes.follow(outside_writes.put(raw_of(key, name="Andina", status="ACTIVE", settings=theirs)))
    stored = (outside_writes.raw_at(key) or {})["settings"]
    assert stored == to_attribute(theirs | {"booking": {"stepMinutes": "15"}}), "what the service removed stays removed"
    outside_writes.put(raw_of(key, name="Andina", status="ACTIVE", settings=ours, revision=9))
    outside_writes.follow(outside_writes.put(raw_of(key, name="Andina", status="ACTIVE", settings="x")))
    assert (outside_writes.raw_at(key) or {})["settings"] == {"S": "x"}
