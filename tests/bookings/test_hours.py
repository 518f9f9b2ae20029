"""Reads hours from the table: the seed's, and odd values of outside writers."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookings.hours import DayHours, Range, Span, hours_of, read_minute, read_ranges, working_spans
from bookings.items import Availability

SANTIAGO = ZoneInfo("America/Santiago")
CHRISTMAS = date(2026, 12, 25)


def weekday(name: str = "MON", **values: Any) -> Availability:
    item = Availability.new(tenant="andina", provider="pro_55", weekday=name)
    for attribute, value in values.items():
        setattr(item, attribute, value)
    return item


def exceptions(*entries: Any) -> dict[date, DayHours | None]:
    return dict(hours_of(SANTIAGO, [weekday(exceptions=list(entries))]).exceptions)


def test_the_seeds_monday_gives_its_working_spans() -> None:
    """María works in Santiago, in summer three hours behind UTC."""
    monday = weekday(
        time_ranges=[{"startTime": "09:00", "endTime": "13:00"}, {"startTime": "15:00", "endTime": "19:00"}],
        breaks=[{"startTime": "11:00", "endTime": "11:15"}],
        exceptions=[],
    )
    hours = hours_of(SANTIAGO, [monday])
    assert dict(hours.weekly) == {0: DayHours((Range(540, 780), Range(900, 1140)), (Range(660, 675),))}

    def utc(hour: int, minute: int = 0) -> datetime:
        return datetime(2025, 12, 1, hour, minute, tzinfo=UTC)

    assert working_spans(hours, date(2025, 12, 1)) == [
        Span(utc(12), utc(14)),
        Span(utc(14, 15), utc(16)),
        Span(utc(18), utc(22)),
    ]
    assert working_spans(hours, date(2025, 12, 2)) == []


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        *(("09:30", 570), ("9:30", 570), ("00:00", 0), ("24:00", 1440), ("09:30:00", 570)),
        *(("24:01", None), ("09:60", None), ("9", None), ("", None), (" 09:30", None), ("٠٩:٣٠", None)),
        *(("930", None), ("09:30:15", None), ("25:00", None)),
    ],
)
def test_clock_times_are_read_as_minutes(text: str, minute: int | None) -> None:
    assert read_minute(text) == minute


def test_invalid_ranges_are_ignored() -> None:
    good = {"startTime": "09:00", "endTime": "10:00"}
    odd: list[Any] = [None, 5, "09:00", [], {}, {"startTime": "09:00"}, {"startTime": "10:00", "endTime": "09:00"}]
    odd += [{"startTime": "10:00", "endTime": "10:00"}, {"startTime": 9, "endTime": 10}]
    assert read_ranges([*odd, good]) == (Range(540, 600),)
    assert read_ranges(None) == read_ranges("09:00") == read_ranges({"a": good}) == ()


def test_exceptions_are_days_off_or_other_hours() -> None:
    short = {"date": "2026-12-24", "timeRanges": [{"startTime": "09:00", "endTime": "12:00"}]}
    assert exceptions({"date": "2026-12-25", "off": True}, short) == {
        CHRISTMAS: None,
        date(2026, 12, 24): DayHours((Range(540, 720),)),
    }
    assert exceptions("2026-12-25") == {CHRISTMAS: None}
    assert exceptions({"date": "2026-12-25"}) == {CHRISTMAS: None}, "the seed calls them days off"
    assert exceptions({"date": "2026-12-25", "timeRanges": []}) == {CHRISTMAS: DayHours()}
    assert exceptions({"date": "2026-12-25", "off": False}) == {}
    assert exceptions("Christmas", None, 5, {}, {"date": 5}, ["2026-12-25"], {"off": True}) == {}


def test_a_day_off_wins_over_other_hours_of_the_same_date() -> None:
    other = {"date": "2026-12-25", "timeRanges": [{"startTime": "09:00", "endTime": "12:00"}]}
    assert exceptions(other, "2026-12-25") == exceptions("2026-12-25", other) == {CHRISTMAS: None}


def test_an_exception_counts_whatever_weekday_it_is_stored_with() -> None:
    """Christmas 2026 is a Friday."""
    friday = weekday("FRI", time_ranges=[{"startTime": "09:00", "endTime": "10:00"}])
    hours = hours_of(SANTIAGO, [weekday("MON", exceptions=["2026-12-25"]), friday])
    assert working_spans(hours, CHRISTMAS) == []
    assert len(working_spans(hours, date(2026, 12, 18))) == 1


def test_an_unknown_weekday_is_ignored() -> None:
    ranges = [{"startTime": "09:00", "endTime": "10:00"}]
    hours = hours_of(SANTIAGO, [weekday("mon", time_ranges=ranges), weekday("LUNES", time_ranges=ranges)])
    assert set(hours.weekly) == {0}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["date", "off", "timeRanges"]), inner),
    max_leaves=8,
)


@given(plain, plain, plain)
def test_any_stored_value_can_be_read(ranges: Any, breaks: Any, exceptions: Any) -> None:
    hours = hours_of(SANTIAGO, [weekday(time_ranges=ranges, breaks=breaks, exceptions=exceptions)])
    assert isinstance(working_spans(hours, date(2026, 6, 1)), list)


@pytest.mark.parametrize("day", [date.min, date.max, date(1899, 1, 1)])
def test_the_first_and_last_possible_dates_cause_no_error(day: date) -> None:
    ranges = [{"startTime": "00:00", "endTime": "24:00"}]
    assert working_spans(hours_of(SANTIAGO, [weekday("MON", time_ranges=ranges)]), day) == []
