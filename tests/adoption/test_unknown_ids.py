"""Which ids the follower records, and when it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.unknown_ids import forget_recorded
from dashboard.table import keys, oplog, schema
from dashboard.table.keypattern import Key
from tests.adoption.outside import COGNITO, follow, make_unknown_business, outside_id, put_raw, put_tenant
from tests.conftest import add_business, add_person, every_engine
from tests.transfer.helpers import run

pytestmark = pytest.mark.usefixtures("table")


@every_engine
def test_an_id_is_recorded_once_with_its_kinds_and_its_name() -> None:
    unknown = make_unknown_business("Pan_Caliente")
    assert (unknown.name, sorted(unknown.examples)) == ("Panadería Pan Caliente", ["business", "theme"])
    assert unknown.examples["theme"] == Key("BUS#Pan_Caliente", "THEME#00000001")
    assert unknown.first_seen_at is not None
    another = put_raw(keys.THEME.key(tenant="Pan_Caliente", version=2), version=2)
    assert not follow(another)
    forget_recorded()
    assert not follow(another)


@pytest.mark.parametrize(
    "key",
    [
        keys.SERVICE.key(tenant="x_Y", service="svc_1"),
        keys.BOOKING.key(tenant="x_Y", provider="pro_1", start="2026-05-25T13:00:00Z", booking="b"),
        keys.FRANCHISE.key(tenant="x_Y"),
        keys.BRANCH.key(tenant="x_Y", branch="001"),
        Key("TENANT#x_Y", "ORDER#1"),
        Key("TENANT#x_Y#SOMETHING#1", "X"),
        Key("BUS#x_Y", "LATER"),
    ],
)
def test_every_kind_in_a_partition_of_a_business_counts(key: Key) -> None:
    follow(put_raw(key, name="Something"))
    assert queries.find_unknown_business("x_Y") is not None


@pytest.mark.parametrize(
    "key",
    [
        Key("SYSTEM", "CDN_PENDING"),
        Key("SYSTEM", "branch-1"),
        Key("MODSTATS", "product-1"),
        Key("USER#ana@example.com", "PROFILE"),
        Key("TENANT#x_Y", "AUDIT#2026-05-25T13:00:00Z#1"),
        Key("TENANT#", "X"),
    ],
)
def test_other_items_are_no_business(key: Key) -> None:
    follow(put_raw(key, name="Something"))
    assert queries.unknown_businesses().items == []


def test_items_of_a_known_business_cause_no_write_and_few_reads() -> None:
    add_business("andina", "Coca-Cola Andina")
    raws = [put_raw(Key("TENANT#andina", f"ORDER#{number}")) for number in range(20)]
    with oplog.recording() as log:
        assert not any(follow(raw) for raw in raws)
    assert len(log.calls) == 1


def test_a_new_name_is_recorded() -> None:
    unknown = make_unknown_business(name="Old")
    follow(put_raw(keys.BRAND_META.key(tenant=unknown.id), name="New"))
    renamed = queries.find_unknown_business(unknown.id)
    assert renamed is not None and renamed.name == "New"


def test_kinds_are_bounded() -> None:
    business = outside_id()
    for number in range(40):
        follow(put_raw(Key(f"TENANT#{business}", f"KIND{number}#1")))
    unknown = queries.find_unknown_business(business)
    assert unknown is not None and len(unknown.examples) == 30


@every_engine
def test_an_id_leaves_the_list_when_an_outside_writer_creates_the_business() -> None:
    unknown = make_unknown_business()
    follow(put_tenant(unknown.id))
    assert queries.find_unknown_business(unknown.id) is None


def test_an_owner_of_another_system_is_recorded_with_its_businesses() -> None:
    follow(put_tenant("one", ownerUserId=COGNITO))
    follow(put_tenant("two", ownerUserId=COGNITO))
    before = queries.find_owner(COGNITO)
    follow(put_tenant("two", ownerUserId=COGNITO, name="Renamed"))
    owner = queries.find_owner(COGNITO)
    assert owner is not None and before is not None and owner.raw == before.raw
    assert owner.business_ids == ["one", "two"]
    assert not owner.email and not owner.not_owned_business_ids


def test_a_person_with_an_account_is_no_unknown_owner() -> None:
    add_person("olivia@example.com", Role.OWNER)
    follow(put_tenant("one", ownerUserId="Olivia@example.com"))
    assert queries.outside_owners().items == []


@pytest.mark.parametrize("owner", ["auth0|4f3#2", "a" * 2000, " ", "ñandú/../x"])
def test_unusual_owners_are_no_error(owner: str) -> None:
    raw = put_tenant("one", ownerUserId=owner)
    follow(raw)
    assert schema.PK in raw


def test_reindex_records_ids_that_are_older_than_the_stream(tmp_path: Path) -> None:
    put_raw(keys.BRAND_META.key(tenant="Older"), name="Older")
    put_raw(Key("TENANT#Older", "POLL#1"))
    put_tenant("one", ownerUserId=COGNITO)
    run("reindex", checkpoint=tmp_path / "checkpoint")
    unknown = queries.find_unknown_business("Older")
    assert unknown is not None and sorted(unknown.examples) == ["POLL", "business"]
    assert queries.find_owner(COGNITO) is not None
