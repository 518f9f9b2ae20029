"""Values inside maps and lists: each is read as an attribute of its type reads it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bookings.items import ProviderDay
from dashboard.platform.configs.items import Config
from dashboard.table import keys, read
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import new_command
from dashboard.table.nested import StoredMap, maps_in, members_of, texts_in, without_texts, words_of
from dashboard.table.transactions import Transaction
from rooms.configs.domains import whitelist_of
from tests.businesses.business_pages import put_raw
from tests.conftest import ACTOR, every_engine

NOON = datetime(2026, 5, 19, 12, 0, tzinfo=UTC)


def entry(value: dict[str, Any]) -> StoredMap:
    return StoredMap.of(from_attribute({"M": {"x": value}}))


@pytest.mark.parametrize(("value", "text"), [({"S": "12"}, "12"), ({"N": "12"}, "12"), ({"BOOL": True}, "")])
def test_a_text(value: dict[str, Any], text: str) -> None:
    assert entry(value).text("x") == text


@pytest.mark.parametrize(
    ("value", "number"),
    [({"N": "12"}, 12), ({"S": " 12.0 "}, 12), ({"N": "0.5"}, 0.5), ({"S": "many"}, None), ({"BOOL": True}, None)],
)
def test_a_number(value: dict[str, Any], number: float | None) -> None:
    assert entry(value).number("x") == number
    assert entry(value).whole_number("x") == (None if number == 0.5 else number)


@pytest.mark.parametrize(("value", "flag"), [({"BOOL": True}, True), ({"S": "False"}, False), ({"N": "2"}, None)])
def test_a_flag(value: dict[str, Any], flag: bool | None) -> None:
    assert entry(value).flag("x") is flag


@pytest.mark.parametrize(
    "value",
    [
        {"S": "2026-05-19T12:00:00.000Z"},
        {"S": "2026-05-19T07:00:00-05:00"},
        {"N": "1779192000"},
        {"N": "1779192000000"},
    ],
)
def test_a_time(value: dict[str, Any]) -> None:
    assert entry(value).moment("x") == NOON


@pytest.mark.parametrize("value", [{"S": "soon"}, {"N": "3"}, {"NULL": True}, {"L": []}])
def test_what_is_no_time(value: dict[str, Any]) -> None:
    assert entry(value).moment("x") is None


@pytest.mark.parametrize("value", [{"SS": ["b", "a"]}, {"L": [{"S": "a"}, {"S": "b"}]}])
def test_a_list(value: dict[str, Any]) -> None:
    assert entry(value).members("x") == ["a", "b"]


@pytest.mark.parametrize("value", [{"S": "a b"}, {"N": "1"}, {"M": {}}, {"NULL": True}])
def test_what_is_no_list(value: dict[str, Any]) -> None:
    assert entry(value).members("x") == []


def test_a_list_of_words_may_be_one_text() -> None:
    assert words_of("@a.example, @b.example;c.example") == ["@a.example", "@b.example", "c.example"]
    assert words_of({"b", "a"}) == ["a", "b"] and words_of(None) == []


def test_a_map_and_what_is_none() -> None:
    assert entry({"M": {"y": {"N": "1"}}}).map("x").counts() == {"y": 1}
    assert entry({"S": "text"}).map("x") == {} == StoredMap.of(None)
    assert maps_in([{"y": 1}, "text", 3]) == [{"y": 1}]


def test_members_of_other_types_stay() -> None:
    members = members_of(["a", {"a": 1}, 3, "b"])
    assert texts_in(members) == ["a", "b"] and without_texts(members, {"a"}) == [{"a": 1}, 3, "b"]


def test_a_ledger_reads_times_in_every_form() -> None:
    key = keys.PROVIDER_DAY.key(tenant="andina", provider="ana", date="2026-05-19")
    busy = {
        "b1": {"M": {"start": {"N": "1779192000"}, "end": {"S": "2026-05-19T13:00:00.000Z"}}},
        "b2": {"M": {"start": {"S": "soon"}, "end": {"S": "later"}}},
        "b3": {"S": "text"},
    }
    day = ProviderDay.of({"PK": {"S": key.pk}, "SK": {"S": key.sk}, "busy": {"M": busy}})
    assert [(each.booking_id, each.span_with_buffers.start) for each in day.taken] == [("b1", NOON)]


@every_engine
@pytest.mark.parametrize("stored", [{"S": "@a.example @b.example"}, {"SS": ["@a.example", "@b.example"]}])
def test_allowed_domains_stay_in_their_form_until_they_change(table: str, stored: dict[str, Any]) -> None:
    key = keys.CONFIG.key(name="domains")
    put_raw({"PK": {"S": key.pk}, "SK": {"S": key.sk}, "whitelist": stored})
    config = read.get(Config, key)
    assert config is not None and list(whitelist_of(config).names) == ["a.example", "b.example"]
    config.digest = "d"
    transaction = Transaction(new_command(ACTOR))
    transaction.save(config, revision=0)
    transaction.commit(config)
    after = read.get(Config, key)
    assert after is not None and {n: sorted(v) for n, v in after.raw["whitelist"].items()} == {
        n: sorted(v) for n, v in stored.items()
    }
