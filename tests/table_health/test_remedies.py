"""What the findings tell people to do, and what the viewer calls a problem."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dashboard.platform.adoption.kinds import KIND_LABELS
from dashboard.platform.table_health.checks import find_all
from dashboard.platform.table_health.item_presenters import item_view
from dashboard.platform.table_health.queries import load_state
from dashboard.platform.table_health.state import DescribeOutcome, DescribeResult, TableState
from dashboard.table import keys
from tests.table_health.outside_items import WITHOUT_KEYS


@pytest.fixture
def state(table: str) -> TableState:
    return load_state()


def commands(state: TableState) -> dict[str, str]:
    return {each.code: each.command for each in find_all(state)}


def test_what_create_table_refuses_has_another_command(state: TableState) -> None:
    content = dict(state.table.content)
    indexes = [dict(each) for each in content["GlobalSecondaryIndexes"]]
    indexes[0]["KeySchema"] = indexes[0]["KeySchema"][:1]
    content["GlobalSecondaryIndexes"] = indexes
    content["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    expiry = DescribeResult(DescribeOutcome.OK, {"TimeToLiveStatus": "ENABLED", "AttributeName": "timeToArchive"})
    found = commands(replace(state, table=DescribeResult(DescribeOutcome.OK, content), expiry=expiry))
    name = indexes[0]["IndexName"]
    assert f'"IndexName": "{name}"' in found["index_keys"] and "Delete" in found["index_keys"]
    assert found["stream_view"].endswith("StreamEnabled=false")
    assert found["expiry_attribute"].endswith("Enabled=false,AttributeName=timeToArchive")


@pytest.mark.parametrize("call", ["table", "expiry", "recovery"])
def test_each_setting_that_may_not_be_read_is_reported(state: TableState, call: str) -> None:
    denied: dict[str, Any] = {call: DescribeResult(DescribeOutcome.DENIED)}
    assert "not_allowed" in commands(replace(state, **denied))


def test_a_number_that_was_not_counted_to_the_end_says_so(state: TableState) -> None:
    more = replace(state, unknown_owners=50, has_more_owners=True, unknown_businesses=100)
    titles = {each.code: (each.title, each.effect) for each in find_all(more)}
    assert titles["unknown_owners"][0].startswith("50+ owners")
    assert titles["unknown_businesses"][0].startswith("100+ businesses") and "them" in titles["unknown_businesses"][1]


def test_a_value_that_its_class_reads_is_no_problem() -> None:
    view = item_view(WITHOUT_KEYS | {"durationMinutes": {"S": "30"}, "price": {"L": []}})
    notes = {row.name: (row.note, row.level) for row in view.attributes}
    assert notes["durationMinutes"] == ("Read as number", "plain")
    assert notes["price"] == ("Expected: number", "warn")


def test_every_kind_has_a_label() -> None:
    assert {pattern.kind for pattern in keys.PATTERNS} <= {*KIND_LABELS}
