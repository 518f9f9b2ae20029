"""Moments on the wire: written as the seeds write them, read as anyone does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.table.timestamps import TimestampAttribute, from_wire, to_wire
from tests.table.notes import NOON, note_at, on_the_wire, put_note, saved
from tests.table.notes import add as add_note
from tests.table.notes import key as key_of

SANTIAGO = timezone(timedelta(hours=-3))
GARBAGE = [
    "",
    "soon",
    "2025-13-01",
    "21/09/2025 10:00",
    "1758448800",
    "2025-09-21T25:00:00Z",
    "0001-01-01T00:00:00+09:00",  # A moment before the first one that Python knows.
]


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 1, 1), timezones=st.sampled_from([UTC, SANTIAGO])))
def test_a_moment_survives_the_wire_to_the_second(moment: datetime) -> None:
    assert from_wire(to_wire(moment)) == moment.replace(microsecond=0)


def test_moments_are_written_as_the_seeds_write_them() -> None:
    assert to_wire(datetime(2025, 9, 21, 10, tzinfo=UTC)) == "2025-09-21T10:00:00Z"
    assert to_wire(datetime(2025, 9, 21, 7, tzinfo=SANTIAGO)) == "2025-09-21T10:00:00Z"
    assert to_wire(datetime(2025, 9, 21, 10, 0, 0, 999_999, tzinfo=UTC)) == "2025-09-21T10:00:00Z"


@given(st.lists(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)), max_size=5))
def test_written_moments_sort_by_time(moments: list[datetime]) -> None:
    """They are sort keys."""
    assert sorted(map(to_wire, moments)) == list(map(to_wire, sorted(moments)))


@pytest.mark.parametrize(
    "text",
    [
        "2025-09-21T10:00:00Z",
        "2025-09-21T10:00:00+00:00",
        "2025-09-21T10:00:00.000Z",
        "2025-09-21T10:00:00.000000+0000",
        "2025-09-21T07:00:00-03:00",
        "2025-09-21T10:00:00",
        "2025-09-21 10:00:00",
        "2025-09-21T10:00Z",
    ],
)
def test_others_may_write_a_moment_their_way(text: str) -> None:
    assert from_wire(text) == datetime(2025, 9, 21, 10, tzinfo=UTC)


def test_a_date_alone_is_its_first_moment() -> None:
    """Seed 002 sorts people by `2025-08-18`."""
    assert from_wire("2025-08-18") == datetime(2025, 8, 18, tzinfo=UTC)


@pytest.mark.parametrize("text", GARBAGE)
def test_text_that_is_no_moment_reads_as_none(text: str) -> None:
    assert TimestampAttribute().deserialize(text) is None


@given(st.text(max_size=30))
def test_no_text_at_all_breaks_the_reading(text: str) -> None:
    TimestampAttribute().deserialize(text)


def test_an_item_carries_its_moments_in_the_wire_format(table: str) -> None:
    add_note("ana", due_at=NOON)
    raw = on_the_wire(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "2025-09-21T12:00:00Z"}
    assert raw["createdAt"]["S"].endswith("Z")
    assert len(raw["createdAt"]["S"]) == len("2025-09-21T12:00:00Z")


def test_text_that_is_no_moment_stays_when_something_else_is_saved(table: str) -> None:
    put_note("ana", dueAt={"S": "when it rains"}, createdAt={"S": "long ago"})
    ana: Any = note_at("ana")
    assert ana.due_at is None
    ana.text = "An umbrella."
    saved(ana)
    raw = on_the_wire(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "when it rains"}
    assert raw["createdAt"] == {"S": "long ago"}
    assert raw["text"] == {"S": "An umbrella."}


def test_a_moment_takes_the_place_of_such_text_when_someone_sets_it(table: str) -> None:
    put_note("ana", dueAt={"S": "when it rains"})
    ana = note_at("ana")
    assert ana is not None
    ana.due_at = NOON
    saved(ana)
    raw = on_the_wire(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "2025-09-21T12:00:00Z"}
