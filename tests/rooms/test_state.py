"""Whether a room is open: one rule for every time, time zone and clock change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.web.local_times import Skipped, moment_at
from rooms.state import CLOSED, OPEN, NextChange, RoomPlan, StateReason

ZONES = st.sampled_from(sorted(available_timezones() - {"localtime", "Factory"}))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
# Clock changes of an hour or half an hour, at night or at midnight, in both hemispheres.
ZONES_WITH_CLOCK_CHANGES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Asia/Beirut",
)


@cache
def clock_changes_of(name: str) -> list[datetime]:
    """The hours in two years in which the clocks of a zone change."""
    time_zone, first = ZoneInfo(name), datetime(2026, 1, 1, tzinfo=UTC)
    hours = [first + timedelta(hours=n) for n in range(2 * 8766)]
    return [early for early, late in pairwise(hours) if offset(early, time_zone) != offset(late, time_zone)]


def offset(moment: datetime, time_zone: ZoneInfo) -> timedelta | None:
    return moment.astimezone(time_zone).utcoffset()


@st.composite
def times_around_a_clock_change(draw: st.DrawFn, *, moments: int) -> tuple[ZoneInfo, list[datetime]]:
    """A zone, and times so near a clock change that some local times are skipped or occur twice."""
    name = draw(st.sampled_from(ZONES_WITH_CLOCK_CHANGES))
    change = draw(st.sampled_from(clock_changes_of(name)))
    minutes = draw(st.lists(st.integers(-90, 150), min_size=moments, max_size=moments))
    return ZoneInfo(name), [change + timedelta(minutes=each) for each in minutes]


OVERRIDES = st.sampled_from([None, OPEN, CLOSED, "", "OPEN", "paused"])
PLANS = st.builds(RoomPlan, st.none() | MOMENTS, OVERRIDES, st.none() | MOMENTS)
TEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("plan", "moment", "is_open", "reason", "next_change"),
    [
        (RoomPlan(), TEN, False, StateReason.NOTHING, None),
        (RoomPlan(TEN), TEN - HOUR, False, StateReason.SCHEDULE, NextChange(TEN, True)),
        (RoomPlan(TEN), TEN, True, StateReason.SCHEDULE, None),
        # An override without end.
        (RoomPlan(TEN, OPEN), TEN - HOUR, True, StateReason.OVERRIDE, None),
        (RoomPlan(TEN, CLOSED), TEN + HOUR, False, StateReason.OVERRIDE, None),
        (RoomPlan(None, OPEN), TEN, True, StateReason.OVERRIDE, None),
        # An override until the opening.
        (RoomPlan(TEN, CLOSED, TEN), TEN - HOUR, False, StateReason.OVERRIDE, NextChange(TEN, True)),
        (RoomPlan(TEN, CLOSED, TEN), TEN, True, StateReason.SCHEDULE, None),
        (RoomPlan(TEN, OPEN, TEN), TEN - HOUR, True, StateReason.OVERRIDE, None),
        # An override until a time.
        (RoomPlan(TEN, CLOSED, TEN + HOUR), TEN, False, StateReason.OVERRIDE, NextChange(TEN + HOUR, True)),
        (RoomPlan(TEN, OPEN, TEN - HOUR), TEN - 2 * HOUR, True, StateReason.OVERRIDE, NextChange(TEN - HOUR, False)),
        (RoomPlan(None, OPEN, TEN), TEN - HOUR, True, StateReason.OVERRIDE, NextChange(TEN, False)),
        # An unknown value of an outside writer is not an override.
        (RoomPlan(TEN, "paused", TEN + HOUR), TEN, True, StateReason.SCHEDULE, None),
    ],
)
def test_state_reason_and_next_change(
    plan: RoomPlan, moment: datetime, is_open: bool, reason: StateReason, next_change: NextChange | None
) -> None:
    state = plan.state_at(moment)
    assert (state.is_open, state.reason, state.next) == (is_open, reason, next_change)


@given(PLANS, MOMENTS, ZONES)
def test_the_time_zone_does_not_change_the_state(plan: RoomPlan, moment: datetime, name: str) -> None:
    """The same times in another zone give the same state."""
    time_zone = ZoneInfo(name)

    def in_zone(each: datetime | None) -> datetime | None:
        return each.astimezone(time_zone) if each else None

    local_plan = RoomPlan(in_zone(plan.open_at), plan.override, in_zone(plan.until))
    assert local_plan.state_at(moment.astimezone(time_zone)) == plan.state_at(moment)


@given(times_around_a_clock_change(moments=3), OVERRIDES)
def test_a_clock_change_does_not_change_the_state(near: tuple[ZoneInfo, list[datetime]], override: str | None) -> None:
    """Python compares two times of one zone by their local time, and one hour occurs twice."""
    zone, (opening, until, moment) = near
    local_times = [each.astimezone(zone) for each in (opening, until, moment)]
    plan, local_plan = RoomPlan(opening, override, until), RoomPlan(local_times[0], override, local_times[1])
    assert local_plan.state_at(local_times[2]) == plan.state_at(moment)
    assert local_plan.has_expired(local_times[2]) == plan.has_expired(moment)


@given(PLANS, MOMENTS)
def test_the_next_change_is_the_first_one(plan: RoomPlan, moment: datetime) -> None:
    """The state lasts until the next change and differs from then on; without a next change it stays."""
    state = plan.state_at(moment)
    edges = {
        each + step for each in (plan.open_at, plan.until) if each for step in (-timedelta(seconds=1), timedelta())
    }
    later = [each for each in edges if each >= moment]
    if state.next is None:
        assert {plan.state_at(each).is_open for each in later} <= {state.is_open}
        return
    assert state.next.at > moment
    assert state.next.is_open != state.is_open
    assert plan.state_at(state.next.at).is_open == state.next.is_open
    before = [each for each in later if each < state.next.at]
    assert {plan.state_at(each).is_open for each in before} <= {state.is_open}


SPANS = st.timedeltas(timedelta(), timedelta(days=400)).map(lambda span: timedelta(seconds=int(span.total_seconds())))
ACTIVE_OVERRIDES = st.sampled_from([OPEN, CLOSED])


@given(st.none() | MOMENTS, OVERRIDES, MOMENTS, SPANS)
def test_an_expired_override_has_no_effect(
    open_at: datetime | None, override: str | None, until: datetime, since: timedelta
) -> None:
    plan, moment = RoomPlan(open_at, override, until), until + since
    assert plan.state_at(moment) == RoomPlan(open_at).state_at(moment)
    assert plan.active_override(moment) is None


@given(st.none() | MOMENTS, ACTIVE_OVERRIDES, MOMENTS, SPANS, st.booleans())
def test_an_override_lasts_until_its_end(
    open_at: datetime | None, override: str, moment: datetime, left: timedelta, ends: bool
) -> None:
    plan = RoomPlan(open_at, override, moment + left + timedelta(seconds=1) if ends else None)
    state = plan.state_at(moment)
    assert (state.is_open, state.reason) == (override == OPEN, StateReason.OVERRIDE)
    assert not plan.has_expired(moment)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)), ZONES)
def test_a_room_opens_when_the_local_clock_shows_the_time(local_time: datetime, name: str) -> None:
    assert_opens_at_local_time(local_time, ZoneInfo(name))


@given(times_around_a_clock_change(moments=1), st.booleans())
def test_a_room_opens_at_the_local_time_around_a_clock_change(
    near: tuple[ZoneInfo, list[datetime]], before: bool
) -> None:
    """In local time before or after the change: one of them is skipped or occurs twice."""
    zone, (moment,) = near
    utc_offset = offset(moment + timedelta(hours=-3 if before else 3), zone) or timedelta()
    assert_opens_at_local_time((moment + utc_offset).replace(tzinfo=None), zone)


def assert_opens_at_local_time(local_time: datetime, time_zone: ZoneInfo) -> None:
    """A skipped time means the next valid one; a time that occurs twice means the first."""
    day, time = local_time.date(), local_time.time().replace(second=0, microsecond=0)
    try:
        opening = moment_at(day, time, time_zone).utc
    except Skipped as skipped:
        opening = skipped.following.astimezone(UTC)
        assert skipped.following.replace(tzinfo=None) > datetime.combine(day, time)
    else:
        shown = opening.astimezone(time_zone)
        assert (shown.date(), shown.time(), shown.fold) == (day, time, 0)
    plan, second = RoomPlan(opening), timedelta(seconds=1)
    assert [plan.state_at(opening + step).is_open for step in (-second, timedelta(), second)] == [False, True, True]
