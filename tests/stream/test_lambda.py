"""The Lambda function repairs a batch, and names the first record that must be repeated."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dashboard.core.errors import Unavailable
from dashboard.platform.stream import batches, function_totals, writer
from dashboard.platform.stream.changes import Write
from dashboard.platform.stream.lambda_handler import handler
from dashboard.platform.stream.records import ItemChange
from dashboard.table import keys
from dashboard.table.items import Raw
from forum.items import Post
from tests.conftest import every_engine
from tests.stream.helpers import follower_state, post, post_key, without_rules, wrong_keys
from tests.table.notes import load_raw, on_dynoxide, put


@pytest.fixture(autouse=True)
def general_rule_only() -> Iterator[None]:
    with without_rules():
        yield


def unavailable_for(pk: str) -> Any:
    """A function that raises Unavailable for one item or without an item, and otherwise repairs it."""
    repair = batches.repair

    def attempt(item: ItemChange | str = "") -> bool:
        if isinstance(item, str) or item.change.key.pk == pk:
            raise Unavailable
        return repair(item)

    return attempt


def event(*images: Raw, first: int = 100) -> Any:
    """An event as Lambda delivers it: JSON, with binary values as base64 text."""
    records = [
        {
            "eventName": "INSERT",
            "dynamodb": {
                "Keys": {"PK": raw["PK"], "SK": raw["SK"]},
                "NewImage": raw,
                "SequenceNumber": str(number),
                "StreamViewType": "NEW_AND_OLD_IMAGES",
            },
        }
        for number, raw in enumerate(images, start=first)
    ]
    return json.loads(json.dumps({"Records": records}, default=lambda value: base64.b64encode(value).decode()))


@on_dynoxide
def test_a_batch_is_repaired(table: str) -> None:
    raws = [post("p1", data={"B": b"\x00\xff"}), post("p2", parts={"L": [{"M": {"b": {"BS": [b"1", b"2"]}}}]})]
    for raw in raws:
        put(raw)
    assert handler(event(*raws)) == {"batchItemFailures": []}
    assert all(not wrong_keys(load_raw(post_key(name)) or {}) for name in ("p1", "p2"))


@on_dynoxide
def test_records_after_a_missing_answer_are_repeated(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [post(name) for name in ("p1", "p2", "p3")]
    for raw in raws:
        put(raw)
    apply = writer.apply

    def no_answer_for_p2(writes: list[Write]) -> bool:
        if writes[0].key == post_key("p2"):
            raise Unavailable
        return apply(writes)

    with monkeypatch.context() as patch:
        patch.setattr(writer, "apply", no_answer_for_p2)
        assert handler(event(*raws)) == {"batchItemFailures": [{"itemIdentifier": "101"}]}
    assert wrong_keys(load_raw(post_key("p1")) or {}) == {}
    assert handler(event(*raws)) == {"batchItemFailures": []}
    assert wrong_keys(load_raw(post_key("p3")) or {}) == {}


@on_dynoxide
def test_an_item_that_cannot_be_repaired_does_not_stop_the_batch(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Post) -> None:
        raise ValueError("no")

    monkeypatch.setattr(Post, "index_keys", fail)
    put(post("p1"))
    assert handler(event(post("p1"))) == {"batchItemFailures": []}
    handler(event(post("p2"), first=101))
    state = follower_state()
    assert {each["pk"] for each in state.failures} == {"POST#p1", "POST#p2"}
    assert (state.failed, state.records, state.kinds) == (2, 2, {"post": 2})


@every_engine
def test_a_repeated_batch_counts_once(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [post(name) for name in ("p1", "p2", "p3")]
    for raw in raws:
        put(raw)
    with monkeypatch.context() as patch:
        patch.setattr(batches, "repair", unavailable_for("POST#p3"))
        assert handler(event(*raws)) == {"batchItemFailures": [{"itemIdentifier": "102"}]}
    assert follower_state().kinds == {"post": 2}
    # The answer was lost, so that Lambda repeats everything; with a longer batch, the rest is counted.
    for _ in range(2):
        assert handler(event(*raws)) == {"batchItemFailures": []}
    state = follower_state()
    assert (state.records, state.kinds, state.lag_seconds) == (3, {"post": 3}, 0)
    assert state.batch_at is not None


@on_dynoxide
def test_a_batch_that_could_not_be_counted_is_repeated(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(post("p1"))
    with monkeypatch.context() as patch:
        patch.setattr(function_totals, "totals", unavailable_for("POST#p1"))
        assert handler(event(post("p1"))) == {"batchItemFailures": [{"itemIdentifier": "100"}]}
    assert handler(event(post("p1"))) == {"batchItemFailures": []}
    assert follower_state().kinds == {"post": 1}


@on_dynoxide
def test_batches_of_many_shards_are_all_counted(table: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: handler(event(post(f"p{n}"), first=n)), range(8)))
    assert (follower_state().records, follower_state().kinds) == (8, {"post": 8})


@on_dynoxide
def test_records_of_the_follower_itself_are_skipped(table: str) -> None:
    own = keys.STREAM_SHARD.key(table="trastienda", shard="s")
    assert handler(event({"PK": {"S": own.pk}, "SK": {"S": own.sk}})) == {"batchItemFailures": []}
    assert handler({"Records": []}) == {"batchItemFailures": []}
