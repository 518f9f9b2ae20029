"""Versions that the branding service puts, publishes and reverts while the follower runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from branding.items import Theme, ThemeStatus
from dashboard.platform.stream.changes import Change
from dashboard.table import keys
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from tests import outside_writes
from tests.branding import branding_service as service
from tests.branding.brand_pages import url_of
from tests.branding.theme_factory import raw_theme
from tests.conftest import every_engine

OURS: dict[str, Any] = {
    "name": "Summer",
    "madeFrom": 1,
    "createdAt": "2025-09-01T10:00:00Z",
    "createdByName": "Olivia",
    "revision": 3,
}


def key_of(version: int) -> Key:
    return keys.THEME.key(tenant="andina", version=version)


def put_ours(version: int, **attributes: Any) -> Raw:
    raw = raw_theme("andina", version, **OURS | {"status": "DRAFT"} | attributes)
    outside_writes.put(raw)
    return raw


def follow_since(before: dict[int, Raw | None]) -> None:
    """Repair what the service has changed since then."""
    for version, old in before.items():
        new = outside_writes.raw_at(key_of(version))
        if new != old:
            outside_writes.follow(Change(old, new))


def stored(version: int) -> Theme:
    return Theme.of(outside_writes.raw_at(key_of(version)) or {})


@every_engine
def test_a_draft_that_the_service_overwrites_keeps_what_only_we_write(table: str, as_owner: Client) -> None:
    before = put_ours(5, timeToArchive=4_000_000_000, ttl=4_000_000_000, discardedAt="2025-09-02T10:00:00Z")
    service.put_draft(5, overwrite=True)
    follow_since({5: before})
    raw = outside_writes.raw_at(key_of(5)) or {}
    assert {name: raw[name] for name in OURS} == {name: to_attribute(each) for name, each in OURS.items()} | {
        "revision": {"N": "4"}
    }
    assert raw["metadata"] == to_attribute(service.METADATA) and raw["assets"] == to_attribute([service.LOGO])
    assert stored(5).current_status == ThemeStatus.DISCARDED, "a person has discarded it"
    assert not {"timeToArchive", "ttl"} & raw.keys(), "what the service has just written does not expire at our date"
    assert "Summer" in as_owner.get(url_of(5)).text


@pytest.mark.parametrize("assets", [[], [service.LOGO]])
def test_roles_of_files_come_back_with_the_same_files_only(table: str, assets: list[Any]) -> None:
    before = put_ours(5, assets=["ASSET#a"], assetRoles={"logo": "a"})
    service.put_draft(5, overwrite=True, assets=assets or ["ASSET#a"])
    follow_since({5: before})
    assert ("assetRoles" in (outside_writes.raw_at(key_of(5)) or {})) == (not assets)


@every_engine
def test_a_version_that_was_live_stays_final_after_the_service_publishes_another(table: str, as_owner: Client) -> None:
    """The service makes a draft of it, which otherwise could be edited here, and would expire."""
    before: dict[int, Raw | None] = {5: put_ours(5, timeToArchive=4_000_000_000, ttl=4_000_000_000), 6: put_ours(6)}
    assert service.publish(5)
    follow_since(before)
    first, before = stored(5), {number: outside_writes.raw_at(key_of(number)) for number in (5, 6)}
    assert first.first_published_at and not first.ttl
    assert service.publish(6)
    follow_since(before)
    assert stored(5).current_status == ThemeStatus.SUPERSEDED and not stored(5).ttl
    assert stored(5).first_published_at == first.first_published_at
    assert service.list_drafts() == [5], "the service sees a draft as before"
    assert as_owner.get(url_of(5)).status_code == 200
    assert service.roll_back(5)


def test_a_version_that_was_published_and_reverted_at_once_stays_final(table: str) -> None:
    live = put_ours(5, status="PUBLISHED", publishedAt="2025-09-03T10:00:00.5Z", revision=0)
    outside_writes.follow(Change(live, outside_writes.update(key_of(5), status={"S": "DRAFT"}).new))
    assert stored(5).current_status == ThemeStatus.SUPERSEDED


def test_our_own_drafts_need_no_repair(table: str) -> None:
    before = put_ours(5)
    outside_writes.put(before | {"name": {"S": "Autumn"}, "revision": {"N": "4"}})
    change = Change(before, outside_writes.raw_at(key_of(5)))
    assert outside_writes.writes_for(change) == []
