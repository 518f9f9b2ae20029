"""Timestamps: written in the format of outside writers, and read in several formats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.table.timestamps import TimestampAttribute, from_wire, to_wire
from tests.table.notes import NOON, add_note, load_note, load_raw, put_note, save_note
from tests.table.notes import key as key_of

SANTIAGO = timezone(timedelta(hours=-3))
INVALID_TEXTS = [
    "",
    "soon",
    "2025-13-01",
    "21/09/2025 10:00",
    "1758448800",
    "2025-09-21T25:00:00Z",
    "0001-01-01T00:00:00+09:00",  # Before the earliest datetime of Python.
]


@given(st.datetimes(datetime(1000, 1, 1), datetime(9998, 1, 1), timezones=st.sampled_from([UTC, SANTIAGO])))
def test_a_timestamp_is_the_same_to_the_second_after_writing_and_reading(moment: datetime) -> None:
    assert from_wire(to_wire(moment)) == moment.replace(microsecond=0)


def test_timestamps_are_written_in_the_format_of_the_seeds() -> None:
    assert to_wire(datetime(2025, 9, 21, 10, tzinfo=UTC)) == "2025-09-21T10:00:00Z"
    assert to_wire(datetime(2025, 9, 21, 7, tzinfo=SANTIAGO)) == "2025-09-21T10:00:00Z"
    assert to_wire(datetime(2025, 9, 21, 10, 0, 0, 999_999, tzinfo=UTC)) == "2025-09-21T10:00:00Z"


@given(st.lists(st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)), max_size=5))
def test_written_timestamps_sort_by_time(moments: list[datetime]) -> None:
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
def test_formats_of_outside_writers_are_read(text: str) -> None:
    assert from_wire(text) == datetime(2025, 9, 21, 10, tzinfo=UTC)


def test_a_date_without_a_time_means_midnight() -> None:
    """The event service sorts people by `2025-08-18`."""
    assert from_wire("2025-08-18") == datetime(2025, 8, 18, tzinfo=UTC)


@pytest.mark.parametrize("text", INVALID_TEXTS)
def test_text_that_is_not_a_timestamp_is_read_as_none(text: str) -> None:
    assert TimestampAttribute().deserialize(text) is None


@given(st.text(max_size=30))
def test_reading_any_text_raises_no_error(text: str) -> None:
    TimestampAttribute().deserialize(text)


def test_an_item_stores_its_timestamps_in_the_wire_format(table: str) -> None:
    add_note("ana", due_at=NOON)
    raw = load_raw(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "2025-09-21T12:00:00Z"}
    assert raw["createdAt"]["S"].endswith("Z")
    assert len(raw["createdAt"]["S"]) == len("2025-09-21T12:00:00Z")


def test_an_invalid_timestamp_is_kept_when_another_attribute_is_saved(table: str) -> None:
    put_note("ana", dueAt={"S": "when it rains"}, createdAt={"S": "long ago"})
    ana: Any = load_note("ana")
    assert ana.due_at is None
    ana.text = "An umbrella."
    save_note(ana)
    raw = load_raw(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "when it rains"}
    assert raw["createdAt"] == {"S": "long ago"}
    assert raw["text"] == {"S": "An umbrella."}


def test_setting_a_timestamp_replaces_an_invalid_one(table: str) -> None:
    put_note("ana", dueAt={"S": "when it rains"})
    ana = load_note("ana")
    assert ana is not None
    ana.due_at = NOON
    save_note(ana)
    raw = load_raw(key_of("ana"))
    assert raw is not None
    assert raw["dueAt"] == {"S": "2025-09-21T12:00:00Z"}
