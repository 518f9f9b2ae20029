"""Shards are processed in the order of their lineage, and several followers share them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from dashboard.platform.stream import queries, shards
from dashboard.platform.stream.follower import Follower
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.stream.source import Shard, Stream
from tests.stream.helpers import follower_state, post
from tests.table.notes import on_dynoxide

A, B, C = Shard("shard-a"), Shard("shard-b", "shard-a"), Shard("shard-c", "shard-a")


def state(shard: str, **values: Any) -> StreamShard:
    created = StreamShard.new_at_key(shards.key_of(shard))
    for name, value in values.items():
        setattr(created, name, value)
    return created


def test_children_wait_for_their_parent() -> None:
    assert shards.ready([B, A, C], {}) == [A]
    assert shards.ready([B, A, C], {"shard-a": state("shard-a", is_finished=True)}) == [B, C]
    assert shards.ready([B, C], {}) == [B, C], "the parent is no longer listed"


def test_followers_share_the_shards() -> None:
    four = [Shard(f"s{number}") for number in range(4)]
    assert shards.choose(four, {}, "me", 0) == four[0]
    mine = {each.id: state(each.id, owner="me", lease_until=10) for each in four[:2]}
    assert shards.choose(four, mine, "me", 5) == four[2]
    theirs = {each.id: state(each.id, owner="other", lease_until=10) for each in four[2:]}
    assert shards.choose(four, mine | theirs, "me", 5) is None
    assert shards.choose(four, mine | theirs, "me", 11) == four[0], "leases expire"
    all_theirs = {each.id: state(each.id, owner="other", lease_until=10) for each in four}
    assert shards.choose(four, all_theirs, "me", 5) == four[3], "it takes one from whoever has most"
    assert shards.choose(four[:1], all_theirs, "me", 5) is None, "one shard is not divided"


class FakeStream:
    """A stream of three shards: `a` is closed and has two children."""

    arn = "arn:fake"
    order: list[str] = []

    def __init__(self, records: dict[str, list[Any]]) -> None:
        self._records = records

    def shards(self) -> list[Shard]:
        return [C, B, A]

    def iterator(self, shard: str, after: str | None) -> str:
        return f"{shard}:{after or 0}"

    def records(self, iterator: str, limit: int = 100) -> tuple[list[Any], str | None]:
        shard, _, after = iterator.partition(":")
        found = [each for each in self._records[shard] if int(each["dynamodb"]["SequenceNumber"]) > int(after)][:2]
        FakeStream.order += [shard] * len(found)
        if not found and shard == "shard-a":
            return [], None
        return found, f"{shard}:{found[-1]['dynamodb']['SequenceNumber'] if found else after}"


def record(number: int, name: str) -> Any:
    new = post(name)
    body = {"Keys": {"PK": new["PK"], "SK": new["SK"]}, "NewImage": new, "SequenceNumber": str(number)}
    return {"eventName": "INSERT", "dynamodb": body}


@on_dynoxide
def test_a_parent_is_finished_before_its_children_start(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    records: dict[str, list[Any]] = defaultdict(list)
    for number in range(5):
        records["shard-a"].append(record(number + 1, f"a{number}"))
        records["shard-b"].append(record(number + 1, f"b{number}"))
        records["shard-c"].append(record(number + 1, f"c{number}"))
    fake = FakeStream(records)
    FakeStream.order = []
    monkeypatch.setattr(Stream, "of_table", lambda *_: fake)
    follower = Follower()
    follower.catch_up()
    follower.catch_up()
    follower.release()
    assert FakeStream.order[:5] == ["shard-a"] * 5
    assert sorted(FakeStream.order[5:]) == ["shard-b"] * 5 + ["shard-c"] * 5
    states = {str(each.key_parts["shard"]): each for each in queries.shard_states()}
    assert states["shard-a"].is_finished
    assert queries.totals().records == 5, "the counts of a finished shard are kept"
    assert follower_state().kinds == {"post": 15}
    again = Follower()
    again.catch_up()
    assert again.records == 0, "no shard is processed twice"


@on_dynoxide
def test_two_followers_divide_two_shards(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeStream(defaultdict(list))
    monkeypatch.setattr(fake, "shards", lambda: [Shard("shard-b"), Shard("shard-c")])
    monkeypatch.setattr(Stream, "of_table", lambda *_: fake)
    first, second = Follower(), Follower()
    first.step()
    assert set(first._leased) == {"shard-b", "shard-c"}
    second.step()
    assert len(second._leased) == 1, "it takes one of two"
    (taken,) = second._leased
    for leased in first._leased.values():
        leased.renew_at = 0.0
    first.step()
    assert set(first._leased) == {"shard-b", "shard-c"} - {taken}
