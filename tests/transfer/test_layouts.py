"""Items of other services' tables become items at our keys, with all their attributes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from bookings.queries.bookings import bookings_starting_between
from dashboard.platform.transfer.layouts import LAYOUTS, find_layout
from dashboard.platform.transfer.values import BadLine
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire
from tests.conftest import every_engine
from tests.transfer.helpers import CommandResult, run, stored_items, write_lines

BOOKING = {
    "PK": "4be1c0d2#pro_1",
    "SK": "2026-05-25T13:00:00+00:00",
    "GSI1PK": "4be1c0d2",
    "bookingId": "bkg_1",
    "tenantId": "4be1c0d2",
    "serviceId": "svc_1",
    "providerId": "pro_1",
    "roomId": None,
    "tenantId_providerId": "4be1c0d2_pro_1",
    "start": "2026-05-25T09:00:00-04:00",
    "startTime": "2026-05-25T09:00:00-04:00",
    "endTime": "2026-05-25T10:00:00-04:00",
    "status": "CONFIRMED",
    "totalAmount": "25000.0",
}


def raw(values: dict[str, Any]) -> Raw:
    return {name: to_attribute(value) for name, value in values.items()}


def convert(table: str, values: dict[str, Any]) -> list[Raw]:
    layout = find_layout(table)
    assert layout is not None
    return list(layout.convert(raw(values)))


def key_of(item: Raw) -> tuple[str, str]:
    return item["PK"]["S"], item["SK"]["S"]


@pytest.mark.parametrize(
    ("table", "values", "key"),
    [
        ("Tenants", {"tenantId": "andina"}, ("SYSTEM", "TENANT#andina")),
        ("ChatBooking-Tenants", {"tenantId": "0f9a77b1"}, ("SYSTEM", "TENANT#0f9a77b1")),
        ("TenantApiKeys", {"tenantId": "andina", "apiKeyId": "key_1"}, ("TENANT#andina", "APIKEY#key_1")),
        ("ChatBooking-ApiKeys", {"tenantId": "a", "apiKeyId": "k", "apiKeyHash": "f" * 64}, ("TENANT#a", "APIKEY#k")),
        ("Services", {"tenantId": "andina", "serviceId": "svc_1"}, ("TENANT#andina", "SERVICE#svc_1")),
        ("Providers", {"tenantId": "andina", "providerId": "pro_1"}, ("TENANT#andina", "PROVIDER#pro_1")),
        (
            "ChatBooking-ProviderAvailability",
            {"tenantId_providerId": "a#p", "dayOfWeek": "MON"},
            ("TENANT#a#PROVIDER#p", "AVAILABILITY#MON"),
        ),
        ("ProviderAvailability", {"PK": "a#p", "SK": "TUE"}, ("TENANT#a#PROVIDER#p", "AVAILABILITY#TUE")),
        (
            "ChatBooking-ProviderAvailability",
            {"tenantId_providerId": "a#p", "dayOfWeek": "EXCEPTIONS", "exceptionRules": []},
            ("TENANT#a#PROVIDER#p", "AVAILABILITY#EXCEPTIONS"),
        ),
        (
            "Bookings",
            {"PK": "a#p", "SK": "2025-12-01T17:30:00Z", "bookingId": "b1"},
            ("TENANT#a#PROVIDER#p", "BOOKING#2025-12-01T17:30:00Z#b1"),
        ),
        ("ConversationState", {"tenantId": "a", "conversationId": "c"}, ("TENANT#a", "CONVERSATION#c")),
        ("ChatBooking-Conversations", {"tenantId": "a", "conversationId": "c"}, ("TENANT#a", "CONVERSATION#c")),
        ("business-franquicias-dev", {"id": "f1", "PK": "FRANCHISE#f1"}, ("FRANCHISE#f1", "METADATA")),
        ("business-sucursales-qa", {"id": "b1", "franchiseId": "f1"}, ("f1", "branch-b1")),
        ("business-productos-pdn", {"id": "p1", "franchiseId": "f1", "branchId": "b1"}, ("f1", "product-p1")),
        ("productos", {"id": "product-001", "franchiseId": "f1", "branchId": "branch-001"}, ("f1", "product-001")),
    ],
)
def test_every_table_has_its_key(table: str, values: dict[str, Any], key: tuple[str, str]) -> None:
    (item,) = convert(table, values)
    assert key_of(item) == key
    kept = {name: value for name, value in raw(values).items() if name not in {"PK", "SK", "branchId"}}
    assert kept.items() <= item.items()


def test_a_booking_keeps_its_attributes_and_no_key_of_its_old_table() -> None:
    (item,) = convert("ChatBooking-Bookings", BOOKING)
    assert key_of(item) == ("TENANT#4be1c0d2#PROVIDER#pro_1", "BOOKING#2026-05-25T13:00:00Z#bkg_1")
    own = raw(BOOKING)
    assert {name: item.get(name) for name in own if name not in {"PK", "SK", "GSI1PK"}} == {
        name: value for name, value in own.items() if name not in {"PK", "SK", "GSI1PK"}
    }
    assert "GSI1PK" not in item


def test_a_branch_and_its_products_become_items_of_their_own() -> None:
    products = [{"id": "p1", "name": "Arepa", "stock": 7, "extra": "kept"}, {"id": "p2", "name": "Jugo", "stock": 0}]
    branch, *stock = convert(
        "business-sucursales-dev",
        {"PK": "BRANCH#b1", "SK": "METADATA", "id": "b1", "franchiseId": "f1", "name": "Norte", "products": products},
    )
    assert key_of(branch) == ("f1", "branch-b1") and "products" not in branch
    assert [key_of(each) for each in stock] == [("f1", "product-p1"), ("f1", "product-p2")]
    assert stock[0]["branchId"] == {"S": "branch-b1"} and stock[0]["extra"] == {"S": "kept"}


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("Services", {"tenantId": "andina"}),
        ("Services", {"tenantId": "and#ina", "serviceId": "svc_1"}),
        ("Bookings", BOOKING | {"startTime": "soon"}),
        ("Bookings", {name: value for name, value in BOOKING.items() if name != "bookingId"}),
        ("ProviderAvailability", {"tenantId_providerId": "andina_pro_1", "dayOfWeek": "MON"}),
        ("ProviderAvailability", {"tenantId_providerId": "andina#pro_1", "dayOfWeek": "monday"}),
        ("business-sucursales-dev", {"id": "b1", "franchiseId": "f1", "products": ["arepa"]}),
    ],
)
def test_a_malformed_item_is_refused_with_a_reason(table: str, values: dict[str, Any]) -> None:
    with pytest.raises(BadLine):
        convert(table, values)


def test_the_name_of_a_table_tells_one_layout() -> None:
    names = ["Tenants", "ChatBooking-Bookings", "business-productos-local"]
    assert [sum(bool(each.table_name.fullmatch(name)) for each in LAYOUTS) for name in names] == [1, 1, 1]
    assert find_layout("ChatBooking-Clients") is None


def lines(tmp_path: Path, *items: dict[str, Any]) -> Path:
    return write_lines(tmp_path, *(json.dumps(each) for each in items))


@every_engine
def test_bookings_are_imported_and_overlaps_are_reported(table: str, tmp_path: Path) -> None:
    other = BOOKING | {
        "bookingId": "bkg_2",
        "startTime": "2026-05-25T13:30:00+00:00",
        "endTime": "2026-05-25T14:30:00Z",
    }
    file = lines(tmp_path, BOOKING, other, BOOKING | {"bookingId": "bkg_3", "status": "CANCELLED"})
    result = run("import_items", file, "--from-table", "ChatBooking-Bookings")
    assert result.ok, result
    assert "Imported 3 items" in result.out and "  booking: 3" in result.out
    assert "Bookings that overlap: 1." in result.out and "bkg_1 and bkg_2" in result.out
    day = from_wire("2026-05-25T00:00:00Z"), from_wire("2026-05-26T00:00:00Z")
    assert {each.id for each in bookings_starting_between("4be1c0d2", "pro_1", *day)} == {"bkg_1", "bkg_2", "bkg_3"}


def import_mixed(tmp_path: Path, *options: str) -> CommandResult:
    file = lines(
        tmp_path,
        {"Table": "ChatBooking-Services", "Item": raw({"tenantId": "a", "serviceId": "s", "name": "Masaje"})},
        {"Table": "ChatBooking-Clients", "Item": raw({"tenantId": "a", "id": "c1"})},
        {"Table": "ChatBooking-TenantUsage", "Item": raw({"PK": "TENANT#a", "SK": "STATUS#CONFIRMED#2026-05"})},
        {"Item": raw({"PK": "SYSTEM", "SK": "CDN_PENDING"})},
        {"Table": "ChatBooking-Services", "Item": raw({"tenantId": "a"})},
    )
    return run("import_items", file, *options)


def test_each_line_names_its_table_and_unknown_kinds_are_named(table: str, tmp_path: Path) -> None:
    result = import_mixed(tmp_path)
    assert not result.ok and "Line 5: serviceId is missing" in result.err
    assert "Imported 3 items from 5 lines." in result.out and "  service: 1" in result.out
    assert "Of unknown kinds: 2." in result.out
    for name in ("ChatBooking-Clients", "TENANT / STATUS", "cdn marker"):
        assert f"  {name}: 1" in result.out
    assert ("TENANT#a", "SERVICE#s") in stored_items()


def test_a_dry_run_reports_the_same_and_changes_nothing(table: str, tmp_path: Path) -> None:
    result = import_mixed(tmp_path, "--dry-run")
    assert "Would import 3 items from 5 lines." in result.out and "Of unknown kinds: 2." in result.out
    assert stored_items() == {} and list(tmp_path.glob("*.checkpoint")) == []
    assert "Imported 3 items" in import_mixed(tmp_path).out


def test_items_of_all_services_are_counted_by_kind_and_every_unknown_kind_is_named(table: str, tmp_path: Path) -> None:
    """`outside_items.jsonl` has invented items in the form of each service, also of kinds that are not known here."""
    file = Path(shutil.copy(Path(__file__).with_name("outside_items.jsonl"), tmp_path))
    result = run("import_items", file)
    assert result.ok, result
    # Five are in tables without a layout, and a branch has a product that becomes an item of its own.
    assert "Imported 74 items from 78 lines." in result.out and len(stored_items()) == 74
    counts = {name: int(number) for name, number in re.findall(r"^  (.+): (\d+)$", result.out, re.MULTILINE)}
    assert (counts["content"], counts["booking"], counts["theme"], counts["stock item"]) == (6, 4, 3, 2)
    assert "Of unknown kinds: 7." in result.out and counts["site order"] == counts["ChatBooking-Clients"] == 1
    assert sum(counts.values()) == 74 + 5


def test_an_unknown_layout_is_refused_with_the_known_ones(table: str, tmp_path: Path) -> None:
    result = run("import_items", lines(tmp_path, BOOKING), "--from-table", "Orders")
    assert not result.ok and "Known tables: Bookings, ConversationState" in result.failure
