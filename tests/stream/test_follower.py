"""The follower repairs what outside writers change, once, and nothing is skipped when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.core.errors import Unavailable
from dashboard.platform.stream import batches, queries, shards, source, writer
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.follower import Follower
from dashboard.platform.stream.rules import repairs_of
from dashboard.table import connection, keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from forum.items import Post
from tests.conftest import every_engine, real_engines
from tests.stream.helpers import (
    AT,
    all_records,
    catch_up,
    follower_state,
    post,
    post_key,
    with_key,
    without_rules,
    wrong_keys,
)
from tests.table.notes import add_note, load_note, load_raw, on_dynoxide, put, save_note
from tests.tables import SharedTable


@pytest.fixture(autouse=True)
def general_rule_only() -> Iterator[None]:
    with without_rules():
        yield


def stored(name: str = "p1") -> Raw:
    return load_raw(post_key(name)) or {}


def add_likes(name: str, number: int) -> None:
    """As the app does it: no revision, no index keys."""
    connection.client().update_item(
        TableName=connection.table().table_name,
        Key={part: value for part, value in post(name).items() if part in ("PK", "SK")},
        UpdateExpression="ADD likes :n",
        ExpressionAttributeValues={":n": {"N": str(number)}},
    )


@every_engine
def test_raw_items_appear_under_their_keys_and_move_with_the_next_write(table: str, stream_table: SharedTable) -> None:
    put(post())
    follower = Follower()
    follower.catch_up()
    assert [each.key for each in read.page(keys.ACTIVE_POSTS.collection(), Post).items] == [post_key()]
    add_likes("p1", 12)
    follower.catch_up()
    assert stored()["GSI3SK"] == {"S": f"0000000012#{AT}"}
    put(post(status="deleted"))
    follower.catch_up()
    assert read.page(keys.ACTIVE_POSTS.collection(), Post).items == []
    assert stored()["GSI2PK"] == {"S": "POSTS#deleted"}
    assert (follower.repairs, list(follower.failures)) == (3, [])


@real_engines
def test_nothing_of_an_outside_item_is_changed(table: str, stream_table: SharedTable) -> None:
    raw = post(
        extra={"M": {"a": {"L": [{"N": "1.50"}, {"NULL": True}]}}}, tags={"SS": ["b", "a"]}, data={"B": b"\x00\x01"}
    )
    put(raw)
    before = stored()
    catch_up()
    assert {name: value for name, value in stored().items() if not name.startswith("GSI")} == before


@real_engines
def test_a_stale_form_never_passes_after_a_put_removed_the_revision(table: str, stream_table: SharedTable) -> None:
    note = save_note(add_note("a", shelf="sky"))
    assert note.revision == 2
    bare = {name: value for name, value in (load_raw(note.key) or {}).items() if name in ("PK", "SK", "title")}
    put(bare | {"title": {"S": "theirs"}})
    put(bare | {"title": {"S": "theirs again"}})
    catch_up()
    found = load_note("a")
    assert found is not None
    assert (found.revision, found.title) == (3, "theirs again")


@on_dynoxide
def test_a_revision_is_restored_although_newer_writes_follow(table: str, stream_table: SharedTable) -> None:
    """The follower reads the Put alone; the item has changed again before it writes."""
    note = save_note(add_note("a"))
    bare = {name: value for name, value in (load_raw(note.key) or {}).items() if name in ("PK", "SK", "title")}
    put(bare)
    records = list(all_records())
    put(bare | {"title": {"S": "newer"}})
    tally = batches.RepairTally()
    batches.process([records[-1]], tally)
    found = load_note("a")
    assert found is not None
    assert (found.revision, found.title, tally.failures) == (3, "newer", [])


@real_engines
def test_an_older_image_never_overwrites_a_newer_item(table: str, stream_table: SharedTable) -> None:
    put(post(likes=1))
    (record,) = all_records()
    put(post(likes=5))
    tally = batches.RepairTally()
    batches.process([record], tally)
    assert stored()["likes"] == {"N": "5"}
    assert wrong_keys(stored()) == {}
    catch_up()
    assert wrong_keys(stored()) == {}


@on_dynoxide
def test_a_late_follower_starts_from_the_current_items(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every image but the last one of a post is outdated, and a repair that is computed from it would be refused."""
    for name in ("p1", "p2", "deleted"):
        for likes in range(3):
            put(post(name, likes=likes))
    connection.table().delete_item(*post_key("deleted"))
    oldest_first = [[record] for record in all_records()]
    monkeypatch.setattr(batches, "LATE_SECONDS", -1.0)
    attempts: list[list[Write]] = []
    apply = writer.apply

    def count_attempts(writes: list[Write]) -> bool:
        attempts.append(writes)
        return apply(writes)

    tally = batches.RepairTally()
    with monkeypatch.context() as patch:
        patch.setattr(writer, "apply", count_attempts)
        for records in oldest_first:
            batches.process(records, tally)
    assert (len(attempts), tally.repairs, tally.failures) == (2, 2, [])
    assert wrong_keys(stored("p1")) == wrong_keys(stored("p2")) == {} and not stored("deleted")
    assert tally.kinds == {"post": 2} and tally.records == 10


@real_engines
def test_two_followers_repair_each_change_once(table: str, stream_table: SharedTable) -> None:
    followers = [Follower(lease=2.0), Follower(lease=2.0)]
    stop = threading.Event()
    threads = [threading.Thread(target=lambda each=each: list(each.watch(stop, 0.02))) for each in followers]
    for thread in threads:
        thread.start()
    for number in range(60):
        put(post(f"p{number}"))
    wait_until(lambda: all(not wrong_keys(stored(f"p{number}")) for number in range(60)))
    stop.set()
    for thread in threads:
        thread.join()
    for follower in followers:
        follower.release()
    assert sum(follower.repairs for follower in followers) == 60
    assert sum(not is_idle(follower) for follower in followers) == 1, "one shard has one follower"


def is_idle(follower: Follower) -> bool:
    return follower.records == 0


@real_engines
def test_another_follower_takes_over_after_the_lease(table: str, stream_table: SharedTable) -> None:
    dead = Follower(lease=1.0)
    put(post("p1"))
    dead.catch_up()
    other = Follower(lease=1.0)
    put(post("p2"))
    other.catch_up()
    assert other.records == 0, "the lease is still valid"
    time.sleep(1.1)
    other._next_listing_at = 0.0
    other.catch_up()
    assert wrong_keys(stored("p2")) == {}
    assert other.repairs == 1, "what the other one repaired needs nothing"
    assert not dead._save(*next(iter(dead._leased.items()))), "the first one notices that it lost the shard"


@every_engine
def test_its_own_records_cause_no_write(table: str, stream_table: SharedTable) -> None:
    """Otherwise each checkpoint would cause another one."""
    follower = Follower(lease=0.3)
    put(post())
    follower.catch_up()
    time.sleep(0.15)
    follower.step()
    position = queries.shard_states()[0].sequence_number
    assert position
    for _ in range(3):
        time.sleep(0.15)
        follower.step()
    (state,) = queries.shard_states()
    assert state.sequence_number == position
    assert len(list(all_records())) < 12


@every_engine
def test_items_are_counted_once_by_kind(table: str, stream_table: SharedTable) -> None:
    put(post("p1"))
    put(post("p2"))
    put({"PK": {"S": "WEATHER#bogota"}, "SK": {"S": "TODAY"}})
    catch_up()
    connection.table().delete_item(*post_key("p2"))
    catch_up()
    catch_up()
    state = follower_state()
    assert state.kinds == {"post": 1, "WEATHER": 1}
    assert (state.repairs, state.failed, state.is_running) == (2, 0, False)
    assert state.lag_seconds is not None
    assert state.lag_seconds < 5


@on_dynoxide
def test_an_item_that_cannot_be_repaired_stops_nothing_and_is_listed(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = Post.index_keys

    def fail(self: Post) -> Any:
        if self.pk == "POST#p1":
            raise ValueError("no")
        return computed(self)

    monkeypatch.setattr(Post, "index_keys", fail)
    put(post("p1"))
    put(post("p2"))
    with pytest.raises(CommandError, match="1 could not be repaired"):
        call_command("follow_stream", once=True)
    assert wrong_keys(stored("p2")) == {}
    (failure,) = follower_state().failures
    assert (failure["kind"], failure["pk"]) == ("post", "POST#p1")
    assert "ValueError: no" in failure["reason"]


@on_dynoxide
def test_nothing_is_skipped_while_the_table_does_not_answer(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(post())
    follower = Follower()

    def no_answer(*_: object) -> bool:
        raise Unavailable

    with monkeypatch.context() as patch:
        patch.setattr(writer, "apply", no_answer)
        with pytest.raises(Unavailable):
            follower.step()
    follower.catch_up()
    assert wrong_keys(stored()) == {}


@on_dynoxide
def test_records_that_no_longer_exist_are_reported(
    table: str, stream_table: SharedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(post("p1"))
    catch_up()
    put(post("p2"))
    follower = Follower()
    read_records = source.Stream.records
    answers = iter([source.Trimmed(), source.IteratorExpired()])

    def trimmed_once(self: source.Stream, iterator: str, limit: int = source.BATCH) -> Any:
        if (error := next(answers, None)) is not None:
            raise error
        return read_records(self, iterator, limit)

    monkeypatch.setattr(source.Stream, "records", trimmed_once)
    with pytest.raises(source.IteratorExpired):
        follower.step()
    follower.catch_up()
    follower.release()
    assert wrong_keys(stored("p2")) == {}
    assert [each["kind"] for each in follower_state().failures] == ["stream"]


@on_dynoxide
def test_a_table_without_a_stream_is_refused_with_the_remedy(table: str) -> None:
    with pytest.raises(CommandError, match=r"has no stream\. To enable it: manage\.py create_table"):
        call_command("follow_stream", once=True)


# --- Rules that write several items --------------------------------------------------------------
@real_engines
def test_several_writes_are_one_transaction_and_collisions_are_computed_again(
    table: str, stream_table: SharedTable
) -> None:
    total = Key("NOTE#total", "NOTE#00000001")

    @repairs_of("post", load=lambda change: load_raw(total))
    def count(change: Change, counted: Raw | None) -> Iterable[Write]:
        assert change.new is not None
        if change.new.get("counted"):
            return
        number = int(counted["total"]["N"]) if counted else 0
        new = {"total": {"N": str(number + 1)}}
        yield Write(change.key, {"counted": {"BOOL": True}}, {"counted": None})
        if counted is None:
            yield Write(total, new | {"title": {"S": "t"}}, creates=True)
        else:
            yield Write(total, new, {"total": counted["total"]})

    for number in range(12):
        put(post(f"p{number}"))
    records = list(all_records())
    tally = [batches.RepairTally(), batches.RepairTally()]
    threads = [threading.Thread(target=batches.process, args=(records, each)) for each in tally]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.failures for each in tally] == [[], []]
    assert (load_raw(total) or {})["total"] == {"N": "12"}, "each post is counted once"
    assert all(not wrong_keys(stored(f"p{number}")) for number in range(12))


@real_engines
def test_writer_conditions(table: str, stream_table: SharedTable) -> None:
    key = Key("NOTE#x", "NOTE#00000001")
    assert writer.apply([Write(key, {"title": {"S": "1"}}, creates=True)])
    assert not writer.apply([Write(key, {"title": {"S": "2"}}, creates=True)]), "the key is taken"
    assert not writer.apply([Write(key, {"title": {"S": "2"}}, {"title": {"S": "0"}})])
    assert not writer.apply([Write(key, {"title": {"S": "2"}}, {"text": {"S": "0"}})])
    assert writer.apply([Write(key, {"title": {"S": "2"}, "text": None}, {"title": {"S": "1"}, "text": None})])
    assert not writer.apply([Write(key, {}, {"PK": None}), Write(post_key(), {"status": {"S": "x"}}, creates=True)])
    assert not writer.apply([Write(key, {}, {"title": {"S": "1"}}, deletes=True)])
    assert writer.apply([Write(key, {}, {"title": {"S": "2"}}, deletes=True)])
    assert load_raw(key) is None
    absent = Write(Key("NOTE#none", "NOTE#00000001"), {"title": {"S": "1"}}, {"title": None})
    assert not writer.apply([absent]), "a deleted item is not created again"
    with pytest.raises(writer.WriteRefused):
        writer.apply([Write(key, {"title": {"S": "x" * 500_000}}, creates=True)])


def wait_until(is_true: Any, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def test_the_key_of_a_shard_is_recognised_as_our_own() -> None:
    assert with_key(shards.key_of("shardId-1"), {})["PK"]["S"].startswith("STREAM#")
