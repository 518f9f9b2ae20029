"""Positions in the calendar, also when the clocks change."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookings import grid
from bookings.grid import Axis, axis_of, clock_at, day_span, lanes, same_axes
from bookings.hours import DayHours, Hours, Range, Span
from bookings.params import CalendarParams, read_day

BERLIN, SANTIAGO, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Santiago"), ZoneInfo("UTC")
DAY = dt.date(2027, 6, 7)
HOURS_BY_DATE = {dt.date(2027, 3, 28): 23, DAY: 24, dt.date(2027, 10, 31): 25}


def at(hour: int, minute: int = 0, day: dt.date = DAY) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(("day", "hours"), HOURS_BY_DATE.items())
def test_a_day_has_23_24_or_25_hours(day: dt.date, hours: int) -> None:
    span = day_span(day, BERLIN)
    assert span.end - span.start == timedelta(hours=hours)


def test_hour_labels_follow_the_local_clock() -> None:
    spring = Axis(day_span(dt.date(2027, 3, 28), BERLIN), BERLIN)
    assert [label for _place, label in spring.ticks][:4] == ["00:00", "01:00", "03:00", "04:00"]
    autumn = Axis(day_span(dt.date(2027, 10, 31), BERLIN), BERLIN)
    assert [label for _place, label in autumn.ticks][1:5] == ["01:00", "02:00", "02:00", "03:00"]


def test_a_skipped_time_becomes_the_next_valid_time() -> None:
    assert clock_at(dt.date(2027, 3, 28), 150, BERLIN) == datetime(2027, 3, 28, 1, 0, tzinfo=UTC)
    # Where midnight itself is skipped, the day begins later.
    start = day_span(dt.date(2027, 9, 5), SANTIAGO).start
    assert start.astimezone(SANTIAGO).strftime("%d %H:%M") == "05 01:00"


def test_the_axis_covers_all_spans_in_whole_hours() -> None:
    axis = axis_of(DAY, UTC_ZONE, [Span(at(9, 20), at(10)), Span(at(16), at(17, 5))])
    assert (axis.span, axis.first, axis.minutes) == (Span(at(9), at(18)), 540, 540)
    empty = axis_of(DAY, UTC_ZONE, [])
    assert (empty.span.start, empty.span.end) == (at(9), at(18))
    # Spans that cross midnight are cut there.
    night = axis_of(
        DAY, UTC_ZONE, [Span(at(0) - timedelta(hours=1), at(0, 30)), Span(at(23), at(23) + timedelta(hours=2))]
    )
    assert night.span == day_span(DAY, UTC_ZONE)


def test_a_position_is_cut_at_the_ends_of_the_axis() -> None:
    axis = Axis(Span(at(9), at(18)), UTC_ZONE)
    assert axis.position_of(Span(at(10, 5), at(11))) == grid.GridPosition(65, 55)
    assert axis.position_of(Span(at(8), at(9, 30))) == grid.GridPosition(0, 30)
    assert axis.position_of(Span(at(18), at(19))) is None
    assert grid.GridPosition(65, 155).css == "h1 m5 dh2 dm35"
    assert axis.at(at(12)) == grid.GridPosition(180, 1) and axis.at(at(18)) is None


def test_a_week_shows_the_same_hours_before_and_after_a_clock_change() -> None:
    monday = dt.date(2027, 3, 22)
    days = [monday + timedelta(days=count) for count in range(7)]
    # Eight in the morning in Berlin: seven in UTC before the change, six after it.
    spans = [Span(clock_at(day, 480, BERLIN), clock_at(day, 1080, BERLIN)) for day in days]
    axes = same_axes(days, BERLIN, spans)
    assert {axis.minutes for axis in axes} == {600}
    assert [axis.position_of(span) for axis, span in zip(axes, spans, strict=True)] == [grid.GridPosition(0, 600)] * 7


def test_hours_and_breaks_of_a_provider_in_another_zone() -> None:
    hours = Hours(SANTIAGO, {0: DayHours((Range(540, 780),), (Range(660, 675), Range(1200, 1230)))})
    span = day_span(DAY, UTC_ZONE)
    assert grid.worked(hours, span) == [Span(at(13), at(15)), Span(at(15, 15), at(17))]
    assert grid.pauses(hours, span) == [Span(at(15), at(15, 15))], "a break outside the hours is ignored"
    assert not grid.is_off(hours, span)
    assert grid.is_off(Hours(SANTIAGO, {}, {DAY: None}), span)


SPANS = st.lists(
    st.builds(
        lambda start, length: Span(at(0) + timedelta(minutes=start), at(0) + timedelta(minutes=start + length)),
        st.integers(0, 600),
        st.integers(1, 200),
    ),
    max_size=12,
)


@given(SPANS)
def test_overlapping_spans_have_different_lanes(spans: list[Span]) -> None:
    found = lanes(spans)
    assert len(found) == len(spans)
    for (lane, of), span in zip(found, spans, strict=True):
        assert 0 <= lane < of <= grid.MAX_LANES
        others = [
            (one, each) for one, each in zip(found, spans, strict=True) if each is not span and each.overlaps(span)
        ]
        if of < grid.MAX_LANES:
            assert all(one[0] != lane and one[1] == of for one, _each in others)


@pytest.mark.parametrize("text", ["", "x", "2027-13-01", "0001-01-01", "9999-12-31", "2027-06-07T", "20270607"])
def test_an_odd_day_in_the_url_causes_no_error(text: str) -> None:
    today = dt.date(2026, 1, 1)
    assert CalendarParams.of({"day": text}, today).day in {today, DAY}
    assert read_day("2027-06-07T10:00") == DAY


def test_the_url_has_only_the_chosen_params() -> None:
    params = CalendarParams.of({"day": "2027-06-07", "view": "month", "status": "x", "payment": "PAID"}, DAY)
    assert params.query() == "?day=2027-06-07&payment=PAID"
    assert params.query(view="week", day="") == "?view=week&payment=PAID"
    assert [day.isoweekday() for day in CalendarParams(DAY + timedelta(days=3), "week").days] == [1, 2, 3, 4, 5, 6, 7]
