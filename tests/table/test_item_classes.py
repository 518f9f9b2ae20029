"""Every kind of the design has an item class, and its index keys work with any attributes of outside writers."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as fewer
from hypothesis import strategies as st

from bookings.items import Booking
from branding.items import Theme
from dashboard.table import keys, schema
from dashboard.table.items import CLASSES, Item, Raw, to_item
from dashboard.table.keypattern import MAX_PK, MAX_SK
from tests.table.test_keys import DESIGN

APPS = ("branding", "forum", "rooms", "bookings", "content", "franchises", "activity")
APP_CLASSES = {kind: cls for kind, cls in CLASSES.items() if cls.__module__.split(".")[0] in APPS}
AT = "2025-09-21T10:00:00Z"


def index_keys_of(raw: Raw) -> dict[str, tuple[str, str | None]]:
    item = to_item(raw)
    assert isinstance(item, Item)
    return {index_key.index: (index_key.pk, index_key.sk) for index_key in item.index_keys()}


def raw_at(kind: str, **values: Any) -> Raw:
    """A raw item of a kind, with the example key of the design."""
    pk, sk = next((pk, sk) for each, pk, sk in DESIGN if each == kind)
    return {"PK": {"S": pk}, "SK": {"S": sk}, **values}


def test_every_kind_has_a_class() -> None:
    assert {pattern.kind for pattern in keys.PATTERNS} <= CLASSES.keys()
    assert len(APP_CLASSES) == 85


def test_django_setup_registers_all_item_classes() -> None:
    """They are registered without any import by the code that uses them."""
    code = "import django; django.setup(); from dashboard.table.items import CLASSES as c; print(len(c), 'post' in c)"
    completed = subprocess.run(
        [sys.executable, "-c", code],
        cwd=settings.BASE_DIR,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(completed.stdout.split()[0]) >= len(APP_CLASSES)
    assert completed.stdout.split()[1] == "True"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (raw_at("scheduled publication"), {"GSI_Status": ("DUE", AT)}),
        (
            raw_at("outgoing mail", state={"S": "queued"}, target={"S": "b1"}, dueAt={"S": AT}),
            {
                "GSI1": ("TENANT#andina#MAILABOUT#b1", f"{AT}#m1"),
                "GSI2": ("TENANT#andina#MAIL#queued", f"{AT}#m1"),
                "GSI_Type": ("TENANT#andina#MAIL", f"{AT}#m1"),
                "GSI_Status": ("DUE#MAIL", AT),
            },
        ),
        (raw_at("provider day"), {"GSI_Type": ("TENANT#andina#DAY", "2025-09-21#p1")}),
        (
            raw_at("content card", status={"S": "draft"}, updatedAt={"S": AT}),
            {
                "GSI_Type": ("TENANT#andina#CONTENT", AT),
                "GSI_Status": ("TENANT#andina#CONTENT#draft", AT),
            },
        ),
        (raw_at("content", status={"S": "draft"}, updatedAt={"S": AT}), {}),
        (raw_at("room content", active={"BOOL": True}), {"GSI1": ("CONTENT#ACTIVE", "sala1")}),
        (raw_at("room content", active={"BOOL": False}, GSI1PK={"S": "CONTENT#ACTIVE"}), {}),
        (raw_at("room content", GSI1PK={"S": "CONTENT#ACTIVE"}), {"GSI1": ("CONTENT#ACTIVE", "sala1")}),
        (
            raw_at("comment", status={"S": "active"}, createdAt={"S": AT}, profanityScore={"N": "0.8123456789"}),
            {
                "GSI2": ("COMMENTS#active", AT),
                "GSI3": ("POST#p1#COMMENTS#active", AT),
                "GSI_Status": ("REVIEW#OPEN#COMMENT", f"0812345679#{AT}"),
            },
        ),
        (
            raw_at(
                "comment", status={"S": "active"}, createdAt={"S": AT}, profanityScore={"N": "1"}, reviewedAt={"S": AT}
            ),
            {"GSI2": ("COMMENTS#active", AT), "GSI3": ("POST#p1#COMMENTS#active", AT)},
        ),
        (
            raw_at("moderation entry", operation={"S": "o1"}),
            {
                "GSI2": ("MODLOG#alma@example.com", AT),
                "GSI4": ("MODOP#o1", AT),
            },
        ),
        (
            raw_at("consent"),
            {"GSI_Type": ("TENANT#andina#CONSENT", AT), "GSI_Status": ("TENANT#andina#CONSENT#other", AT)},
        ),
        (
            raw_at("consent", choice={"S": "denied"}, timestamp={"N": "1758448800000"}),
            {"GSI_Type": ("TENANT#andina#CONSENT", AT), "GSI_Status": ("TENANT#andina#CONSENT#denied", AT)},
        ),
        (raw_at("lead"), {}),
        (
            raw_at("lead", createdAt={"S": AT}),
            {
                "GSI1": ("TENANT#andina#LEADADDRESS#lucia@example.com", AT),
                "GSI_Type": ("TENANT#andina#LEAD", AT),
            },
        ),
        (
            raw_at("page comment", status={"S": "approved"}, authorEmail={"S": " Petra@Reader.example"}),
            {
                "GSI1": ("TENANT#andina#COMMENTER#petra@reader.example", AT),
                "GSI_Status": ("TENANT#andina#COMMENT#Other", AT),
            },
        ),
        (
            raw_at("lead state", lastContactAt={"S": AT}, nextStepOn={"S": "2025-09-30"}),
            {
                "GSI1": ("TENANT#andina#LEADSTEPS", "2025-09-30#lucia@example.com"),
                "GSI_Status": ("TENANT#andina#LEAD#New", f"{AT}#lucia@example.com"),
            },
        ),
        (raw_at("activity", country={"S": "Chile"}), {"GSI1": ("COUNTRY#Chile#2025-09-21#7", AT)}),
        (
            raw_at("stock item", stock={"N": "12.0"}),
            {
                "GSI2": ("PRODUCT#product-1", "andina"),
                "GSI_Type": ("andina#STOCK", "0000000012"),
            },
        ),
    ],
    ids=lambda value: value["SK"]["S"] if "SK" in value else "",
)
def test_an_item_has_the_index_keys_of_the_design(raw: Raw, expected: dict[str, tuple[str, str]]) -> None:
    assert index_keys_of(raw) == expected


def test_only_drafts_of_themes_expire() -> None:
    draft = raw_at("theme", status={"S": "draft"}, timeToArchive={"N": "1750000000"})
    assert Theme.of(draft).expiry() == 1750000000
    assert Theme.of(draft | {"status": {"S": "published"}}).expiry() is None
    assert Theme.of(draft | {"firstPublishedAt": {"S": AT}}).expiry() is None
    assert Booking.of(raw_at("booking", timeToArchive={"N": "1"})).expiry() is None


# --- Any attributes of outside writers -----------------------------------------------------------
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["active", "banned", "draft", AT, "9999-12-31T23:59:59-23:00", "0001-01-01", "a#b", "x" * 3000]
)
NUMBERS = st.sampled_from(["0", "3", "-1", "0.5", "1.0", "1" * 38, "1" + "0" * 125, "-0.00000001", "9999999999"])
VALUES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    TEXTS.map(lambda text: {"S": text}),
    NUMBERS.map(lambda number: {"N": number}),
    st.booleans().map(lambda value: {"BOOL": value}),
    st.just({"NULL": True}),
    st.just({"L": [{"S": "x"}]}),
    st.just({"M": {"userId": {"S": "ana"}}}),
    st.just({"M": {"userId": {"L": []}}}),
    st.just({"SS": ["a", "b"]}),
    st.just({"B": b"\x00"}),
)


@pytest.mark.parametrize("cls", APP_CLASSES.values(), ids=lambda cls: cls.__name__)
@fewer(max_examples=25)
@given(data=st.data())
def test_the_index_keys_are_valid_with_any_attribute_values(cls: type[Item], data: st.DataObject) -> None:
    names = sorted({each.attr_name for each in cls.get_attributes().values()} - {"PK", "SK"})
    values = data.draw(st.dictionaries(st.sampled_from(names), VALUES))
    item = to_item(raw_at(cls.key_pattern.kind, **values))
    assert isinstance(item, cls)
    found = list(item.index_keys())
    assert len({index_key.index for index_key in found}) == len(found)
    for index_key in found:
        assert index_key.index in schema.BY_NAME
        assert 0 < len(index_key.pk.encode()) <= MAX_PK
        assert 0 < len((index_key.sk or "").encode()) <= MAX_SK
    assert item.expiry() is None or isinstance(item.expiry(), int)
