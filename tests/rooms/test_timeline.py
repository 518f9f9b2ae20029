"""The timeline of a day, also on days with 23 or 25 hours."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooms.state import CLOSED, OPEN, RoomPlan
from rooms.timeline import Day, percent

BERLIN, BOGOTA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/Bogota")
MARCH = Day(dt.date(2026, 3, 2), BOGOTA)


@pytest.mark.parametrize(
    ("date", "minutes", "noon"),
    [
        (dt.date(2026, 3, 28), 1440, "50.000%"),
        (dt.date(2026, 3, 29), 1380, percent(11 / 23)),
        (dt.date(2026, 10, 25), 1500, percent(13 / 25)),
    ],
)
def test_a_day_has_23_24_or_25_hours(date: dt.date, minutes: int, noon: str) -> None:
    day = Day(date, BERLIN)
    assert day.minutes == minutes
    assert day.position(datetime(date.year, date.month, date.day, 12, tzinfo=BERLIN)) == noon
    assert [tick.label for tick in day.ticks] == ["00", "03", "06", "09", "12", "15", "18", "21"]
    assert next(tick.x for tick in day.ticks if tick.label == "12") == noon


@given(
    st.dates(dt.date(2000, 1, 2), dt.date(2060, 1, 1)),
    st.sampled_from(sorted(available_timezones() - {"localtime", "Factory"})),
    st.integers(0, 86399),
)
def test_a_minute_of_the_timeline_converts_back_to_its_time(date: dt.date, name: str, second: int) -> None:
    day = Day(date, ZoneInfo(name))
    if day.end <= day.start:
        return  # A place that crossed the date line skipped this day.
    moment = day.start + timedelta(seconds=second * (day.end - day.start).total_seconds() // 86400)
    assert day.contains(moment)
    assert timedelta() <= moment - (day.start + timedelta(minutes=day.minute(moment))) < timedelta(minutes=1)


def at(hour: int) -> datetime:
    return datetime(2026, 3, 2, hour, tzinfo=BOGOTA).astimezone(UTC)


@pytest.mark.parametrize(
    ("plan", "since", "expected"),
    [
        (RoomPlan(), None, []),
        (RoomPlan(at(18)), None, [("open", 18, 24)]),
        (RoomPlan(at(6) - timedelta(days=2)), None, [("open", 0, 24)]),
        (RoomPlan(at(6) + timedelta(days=2)), None, []),
        (
            RoomPlan(at(12), CLOSED, at(18)),
            at(6),
            [("forced-closed", 6, 12), ("forced-closed", 12, 18), ("open", 18, 24)],
        ),
        (RoomPlan(at(18), OPEN, at(12)), at(6), [("forced-open", 6, 12), ("open", 18, 24)]),
        (RoomPlan(at(6), CLOSED), at(12), [("open", 6, 12), ("forced-closed", 12, 24)]),
        (RoomPlan(at(6), "paused"), None, [("open", 6, 24)]),
        (RoomPlan(at(6), close_at=at(12)), None, [("open", 6, 12)]),
        (RoomPlan(at(6) - timedelta(days=1), close_at=at(12)), None, [("open", 0, 12)]),
        (RoomPlan(at(6), OPEN, None, at(12)), at(9), [("open", 6, 9), ("forced-open", 9, 12), ("forced-open", 12, 24)]),
    ],
)
def test_segments_of_the_timeline(plan: RoomPlan, since: datetime | None, expected: list[tuple[str, int, int]]) -> None:
    segments = [(each.kind, each.x, each.width) for each in MARCH.segments(plan, since)]
    assert segments == [(kind, percent(start / 24), percent((end - start) / 24)) for kind, start, end in expected]
