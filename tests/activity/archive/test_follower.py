"""The stream of a log table becomes Parquet, each event once."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from activity.archive import follower as followers
from activity.archive import manifest, schedule, sealing
from activity.archive.changes import is_expiry
from activity.archive.follower import LogFollower
from activity.archive.storage import ArchiveFolder, Storage
from activity.archive.writer import write_events
from activity.items import table_of_month
from dashboard.core import clock
from dashboard.core.errors import Unavailable
from dashboard.platform.stream import queries
from dashboard.table import connection
from tests.activity.archive.helpers import RECENT, delete, events, follow, ids, put, put_all, recent, rows, stored
from tests.conftest import every_engine, real_engines
from tests.table.notes import on_dynoxide


def log_table() -> str:
    return table_of_month(f"{RECENT:%Y-%m}")


def waiting() -> int:
    return sum(sum(manifest.days_of(each).values()) for each in manifest.incoming())


@every_engine
def test_events_of_the_stream_are_archived_once(archive: Storage, log_streams: None) -> None:
    put_all(recent(30))
    assert follow(archive, log_table()).archived == 30
    assert waiting() == 30
    put_all(recent(5, first=30))
    put_all(recent(10))  # A retry of another writer: nothing changes.
    assert follow(archive, log_table()).archived == 5
    assert follow(archive, log_table()).archived == 0
    schedule.seal_due(archive)
    assert sorted(ids(archive, RECENT)) == sorted(each.id for each in recent(35))
    assert stored(archive, "incoming/") == []
    states = queries.follower_state(queries.shard_states(log_table()), queries.totals(log_table()))
    assert (states.records >= 35, states.failed) == (True, 0)  # Some engines also report a Put that changes nothing.


@on_dynoxide
def test_rows_of_outside_writers_are_archived(archive: Storage, log_streams: None) -> None:
    at = recent(1)[0].at
    raw = {
        "PK": {"S": "USER#Ana@Example.com"},
        "SK": {"S": f"ACTIVITY#{int(at.timestamp() * 1000)}"},
        "action": {"S": "room_completed"},
        "salaId": {"S": "sala2"},
    }
    connection.client().put_item(TableName=log_table(), Item=raw)
    connection.client().put_item(TableName=log_table(), Item={"PK": {"S": "USER#x"}, "SK": {"S": "PROFILE"}})
    follower = follow(archive, log_table())
    schedule.seal_due(archive)
    (row,) = rows(archive, RECENT)
    assert row["event_id"].startswith("outside-")
    assert (row["user"], row["room"], row["country"]) == ("ana@example.com", "sala2", "unknown")
    assert [(each["pk"], each["reason"]) for each in follower.failures] == [
        ("USER#x", "NotAnEvent: it has no shape of an event")
    ]
    state = queries.follower_state(queries.shard_states(log_table()), queries.totals(log_table()))
    assert [each["pk"] for each in state.failures] == ["USER#x"]


@on_dynoxide
def test_a_replaced_event_has_its_newest_content(archive: Storage, log_streams: None) -> None:
    (first,) = recent(1)
    put(first)
    follow(archive, log_table())
    put(first, action={"S": "video_start"}, country={"S": "Perú"})
    follow(archive, log_table())
    schedule.seal_due(archive)
    assert [(each["action"], each["country"]) for each in rows(archive, RECENT)] == [("video_start", "peru")]
    put(first, action={"S": "room_completed"})
    follow(archive, log_table())
    schedule.seal_due(archive)
    assert [(each["action"], each["country"]) for each in rows(archive, RECENT)] == [("room_completed", "mexico")]
    assert manifest.sealed_days(RECENT, RECENT) == {RECENT: 2}


@on_dynoxide
def test_a_deleted_event_leaves_the_archive_and_an_expired_one_stays(archive: Storage, log_streams: None) -> None:
    deleted, expired, kept = recent(3)
    put(deleted)
    put(expired, ttl={"N": "1000"})
    put(kept)
    follow(archive, log_table())
    schedule.seal_due(archive)
    delete(deleted)
    delete(expired)
    follow(archive, log_table())
    schedule.seal_due(archive)
    assert ids(archive, RECENT) == [expired.id, kept.id]


def test_what_dynamodb_deletes_has_expired() -> None:
    image = {"ttl": {"N": "99999999999"}}
    by_dynamodb = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
    record: dict[str, Any] = {"eventName": "REMOVE", "dynamodb": {"OldImage": image}}
    assert not is_expiry(record)
    assert is_expiry(record | {"userIdentity": by_dynamodb})


# --- Crashes and races ---------------------------------------------------------------------------
class Crash(BaseException):
    """The process ended here."""


@real_engines
@pytest.mark.parametrize("place", ["before the file", "after the file", "after the transaction"])
def test_a_crash_repeats_the_same_file(
    archive: ArchiveFolder, log_streams: None, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    put_all(recent(10))
    crashed = LogFollower(archive, log_table(), lease=0.5)

    def crash(*_: Any) -> Any:
        raise Crash

    with monkeypatch.context() as patch:
        if place == "before the file":
            patch.setattr(archive, "write", crash)
        else:
            original = crashed._add if place == "after the file" else crashed._current
            name = original.__name__
            patch.setattr(crashed, name, crash)
        crashed.step()
        with pytest.raises(Crash):
            crashed.release()
    before = stored(archive, "incoming/")
    put_all(recent(10, first=10))
    after = LogFollower(archive, log_table())
    wait_for_lease(after)
    after.catch_up()
    after.release()
    files = manifest.incoming()
    assert sorted(str(each.path) for each in files) == stored(archive, "incoming/"), "no file is forgotten"
    assert set(before) <= set(stored(archive, "incoming/")), "the same file was written again"
    assert sum(int(each.rows) for each in files) == 20, "no event is in two files"
    schedule.seal_due(archive)
    assert len(ids(archive, RECENT)) == 20


def wait_for_lease(follower: LogFollower) -> None:
    deadline = time.monotonic() + 10
    while not follower._leased and time.monotonic() < deadline:
        follower._take_shards()
        time.sleep(0.1)


@real_engines
def test_a_follower_that_lost_its_lease_adds_nothing(archive: Storage, log_streams: None) -> None:
    put_all(recent(10))
    slow = LogFollower(archive, log_table(), lease=0.2)
    slow.step()
    (leased,) = slow._leased.values()
    assert len(leased.waiting) == 10
    other = LogFollower(archive, log_table())
    wait_for_lease(other)
    other.catch_up()
    assert not slow._commit(leased)
    other.release()
    slow.release()
    assert waiting() == 10
    assert (slow.archived, other.archived) == (0, 10)


@on_dynoxide
def test_a_shard_is_read_again_after_an_unknown_outcome(
    archive: ArchiveFolder, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(recent(10))
    follower = LogFollower(archive, log_table())
    add = follower._add

    def lose(*args: Any) -> Any:
        add(*args)
        raise Unavailable

    with monkeypatch.context() as patch:
        patch.setattr(follower, "_add", lose)
        patch.setattr(followers, "ROWS_PER_FILE", 4)
        with pytest.raises(Unavailable):
            follower.step()
    follower.catch_up()
    follower.release()
    assert waiting() == 10
    assert stored(archive, "incoming/") == sorted(str(each.path) for each in manifest.incoming())


@on_dynoxide
def test_a_file_is_written_when_events_have_waited_long_enough(archive: Storage, log_streams: None) -> None:
    follower = LogFollower(archive, log_table(), seconds_per_file=0.2)
    put_all(recent(3))
    follower.step()
    assert waiting() == 0
    (leased,) = follower._leased.values()
    leased.waiting_since -= 1
    follower.step()
    assert waiting() == 3
    follower.release()


@on_dynoxide
def test_events_with_much_metadata_are_in_smaller_files(
    archive: Storage, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followers, "SIZE_PER_FILE", 400_000)
    for each in recent(4):
        put(each, metadata={"M": {"text": {"S": "ñ" * 150_000}}})
    follow(archive, log_table())
    assert (len(manifest.incoming()) > 1, waiting()) == (True, 4)
    schedule.seal_due(archive)
    assert [len(each["metadata"]) for each in rows(archive, RECENT)] == [150_011] * 4


@on_dynoxide
def test_two_sealings_at_once_lose_nothing(
    archive: ArchiveFolder, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(recent(5))
    follow(archive, log_table())
    merge = sealing._merge
    others: list[int] = []

    def seal_meanwhile(*args: Any) -> Any:
        if not others:
            others.append(1)
            put_all(recent(5, first=5))
            follow(archive, log_table())
            sealing.seal_day(archive, RECENT)
        return merge(*args)

    monkeypatch.setattr(sealing, "_merge", seal_meanwhile)
    sealing.seal_day(archive, RECENT)
    assert len(ids(archive, RECENT)) == 10
    assert manifest.incoming() == []


@on_dynoxide
def test_an_interrupted_sealing_is_repeated(
    archive: ArchiveFolder, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all([*recent(5), *recent(5, first=5, country="Perú")])
    follow(archive, log_table())

    def crash(*_: Any) -> Any:
        raise Crash

    for name, owner in (("seal", manifest), ("forget_day", manifest), ("remove_file", sealing)):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, crash)
            with pytest.raises(Crash):
                schedule.seal_due(archive)
    schedule.seal_due(archive)
    assert len(ids(archive, RECENT)) == 10
    assert stored(archive, "incoming/") == [] == manifest.incoming()


@on_dynoxide
def test_a_removal_after_an_interrupted_sealing_leaves_nothing(
    archive: ArchiveFolder, log_streams: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = recent(2)
    put(first)
    follow(archive, log_table())
    schedule.seal_due(archive)
    put(second)
    follow(archive, log_table())

    def crash(*_: Any) -> Any:
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(manifest, "seal", crash)
        with pytest.raises(Crash):
            schedule.seal_due(archive)
    delete(second)
    follow(archive, log_table())
    schedule.seal_due(archive)
    assert ids(archive, RECENT) == [first.id]


@on_dynoxide
def test_a_day_that_cannot_be_sealed_is_named_and_stops_no_other(archive: ArchiveFolder, log_streams: None) -> None:
    put_all(recent(2))
    follow(archive, log_table())
    (path,) = stored(archive, "incoming/")
    (archive.root / path).write_bytes(b"no parquet")
    write_events(archive, events(1))
    with pytest.raises(CommandError, match=RECENT.isoformat()):
        call_command("archive_activity", once=True, verbosity=0)
    assert len(manifest.sealed_days(RECENT - timedelta(days=5), RECENT)) == 5


@on_dynoxide
def test_a_day_is_sealed_only_after_its_end_and_when_all_is_archived(archive: Storage, log_streams: None) -> None:
    today = recent(2, day=RECENT + timedelta(days=2))
    put_all(today)
    follow(archive, log_table())
    schedule.seal_due(archive)
    day = RECENT + timedelta(days=2)
    assert manifest.sealed_days(day, day) == {}
    follower = LogFollower(archive, table_of_month(f"{day:%Y-%m}"))
    with clock.shifted(timedelta(days=1, minutes=10)):
        schedule.seal_due(archive)
        assert manifest.sealed_days(day, day) == {}, "nobody has looked for events since then"
        follower.catch_up()
        follower.release()
        schedule.seal_due(archive)
    assert manifest.sealed_days(day, day) == {day: 1}
    assert len(ids(archive, day)) == 2


@on_dynoxide
def test_days_without_events_are_sealed_too(archive: Storage, log_streams: None) -> None:
    follow(archive, log_table())
    schedule.seal_due(archive)
    assert manifest.sealed_days(RECENT, RECENT) == {RECENT: 1}
    assert ids(archive, RECENT) == []
