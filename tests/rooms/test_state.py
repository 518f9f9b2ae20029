"""Whether a room is open: the one rule, over every moment, zone and change of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.web.local_times import Skipped, moment_at
from rooms.state import CLOSED, OPEN, NextChange, Plan, StateReason

ZONES = st.sampled_from(sorted(available_timezones() - {"localtime", "Factory"}))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
# Clocks that are changed: by an hour or half of one, at night or at midnight, in either half of the world.
CHANGING = ("Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Asia/Beirut")


@cache
def changes_of(name: str) -> list[datetime]:
    """The hours within which the clocks of a zone are changed, over two years."""
    time_zone, first = ZoneInfo(name), datetime(2026, 1, 1, tzinfo=UTC)
    hours = [first + timedelta(hours=n) for n in range(2 * 8766)]
    return [early for early, late in pairwise(hours) if offset(early, time_zone) != offset(late, time_zone)]


def offset(moment: datetime, time_zone: ZoneInfo) -> timedelta | None:
    return moment.astimezone(time_zone).utcoffset()


@st.composite
def around_a_change(draw: st.DrawFn, *, moments: int) -> tuple[ZoneInfo, list[datetime]]:
    """A zone, and moments so near a change of its clocks that some of them are skipped, or shown twice."""
    name = draw(st.sampled_from(CHANGING))
    change = draw(st.sampled_from(changes_of(name)))
    minutes = draw(st.lists(st.integers(-90, 150), min_size=moments, max_size=moments))
    return ZoneInfo(name), [change + timedelta(minutes=each) for each in minutes]


OVERRIDES = st.sampled_from([None, OPEN, CLOSED, "", "OPEN", "paused"])
PLANS = st.builds(Plan, st.none() | MOMENTS, OVERRIDES, st.none() | MOMENTS)
TEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("plan", "moment", "is_open", "why", "following"),
    [
        (Plan(), TEN, False, StateReason.NOTHING, None),
        (Plan(TEN), TEN - HOUR, False, StateReason.SCHEDULE, NextChange(TEN, True)),
        (Plan(TEN), TEN, True, StateReason.SCHEDULE, None),
        # Held, and no end: nothing changes by itself.
        (Plan(TEN, OPEN), TEN - HOUR, True, StateReason.OVERRIDE, None),
        (Plan(TEN, CLOSED), TEN + HOUR, False, StateReason.OVERRIDE, None),
        (Plan(None, OPEN), TEN, True, StateReason.OVERRIDE, None),
        # Held until it opens.
        (Plan(TEN, CLOSED, TEN), TEN - HOUR, False, StateReason.OVERRIDE, NextChange(TEN, True)),
        (Plan(TEN, CLOSED, TEN), TEN, True, StateReason.SCHEDULE, None),
        (Plan(TEN, OPEN, TEN), TEN - HOUR, True, StateReason.OVERRIDE, None),
        # Held until a time.
        (Plan(TEN, CLOSED, TEN + HOUR), TEN, False, StateReason.OVERRIDE, NextChange(TEN + HOUR, True)),
        (Plan(TEN, OPEN, TEN - HOUR), TEN - 2 * HOUR, True, StateReason.OVERRIDE, NextChange(TEN - HOUR, False)),
        (Plan(None, OPEN, TEN), TEN - HOUR, True, StateReason.OVERRIDE, NextChange(TEN, False)),
        # What another service may write is no override.
        (Plan(TEN, "paused", TEN + HOUR), TEN, True, StateReason.SCHEDULE, None),
    ],
)
def test_the_rule(plan: Plan, moment: datetime, is_open: bool, why: StateReason, following: NextChange | None) -> None:
    found = plan.state_at(moment)
    assert (found.is_open, found.reason, found.next) == (is_open, why, following)


@given(PLANS, MOMENTS, ZONES)
def test_no_zone_changes_what_a_room_is(plan: Plan, moment: datetime, name: str) -> None:
    """The same moments on other clocks."""
    time_zone = ZoneInfo(name)

    def elsewhere(each: datetime | None) -> datetime | None:
        return each.astimezone(time_zone) if each else None

    there = Plan(elsewhere(plan.open_at), plan.override, elsewhere(plan.until))
    assert there.state_at(moment.astimezone(time_zone)) == plan.state_at(moment)


@given(around_a_change(moments=3), OVERRIDES)
def test_nor_does_a_change_of_the_clocks(near: tuple[ZoneInfo, list[datetime]], override: str | None) -> None:
    """Two times of one clock are compared by what it shows, and it shows an hour twice."""
    where, (opening, until, moment) = near
    there = [each.astimezone(where) for each in (opening, until, moment)]
    plan, elsewhere = Plan(opening, override, until), Plan(there[0], override, there[1])
    assert elsewhere.state_at(there[2]) == plan.state_at(moment)
    assert elsewhere.has_expired(there[2]) == plan.has_expired(moment)


@given(PLANS, MOMENTS)
def test_what_comes_next_is_the_first_change(plan: Plan, moment: datetime) -> None:
    """It is so until then, and another from then on; where nothing comes next it stays for ever."""
    found = plan.state_at(moment)
    edges = {
        each + step for each in (plan.open_at, plan.until) if each for step in (-timedelta(seconds=1), timedelta())
    }
    later = [each for each in edges if each >= moment]
    if found.next is None:
        assert {plan.state_at(each).is_open for each in later} <= {found.is_open}
        return
    assert found.next.at > moment
    assert found.next.is_open != found.is_open
    assert plan.state_at(found.next.at).is_open == found.next.is_open
    before = [each for each in later if each < found.next.at]
    assert {plan.state_at(each).is_open for each in before} <= {found.is_open}


SPANS = st.timedeltas(timedelta(), timedelta(days=400)).map(lambda span: timedelta(seconds=int(span.total_seconds())))
HELD = st.sampled_from([OPEN, CLOSED])


@given(st.none() | MOMENTS, OVERRIDES, MOMENTS, SPANS)
def test_past_its_end_an_override_is_as_if_it_had_never_been(
    open_at: datetime | None, override: str | None, until: datetime, since: timedelta
) -> None:
    plan, moment = Plan(open_at, override, until), until + since
    assert plan.state_at(moment) == Plan(open_at).state_at(moment)
    assert plan.active_override(moment) is None


@given(st.none() | MOMENTS, HELD, MOMENTS, SPANS, st.booleans())
def test_what_is_held_is_so_until_its_end(
    open_at: datetime | None, override: str, moment: datetime, left: timedelta, ends: bool
) -> None:
    plan = Plan(open_at, override, moment + left + timedelta(seconds=1) if ends else None)
    found = plan.state_at(moment)
    assert (found.is_open, found.reason) == (override == OPEN, StateReason.OVERRIDE)
    assert not plan.has_expired(moment)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)), ZONES)
def test_an_opening_on_a_wall_clock_opens_when_that_clock_shows_it(wall: datetime, name: str) -> None:
    opens_when_it_shows(wall, ZoneInfo(name))


@given(around_a_change(moments=1), st.booleans())
def test_also_where_the_clocks_are_changed(near: tuple[ZoneInfo, list[datetime]], before: bool) -> None:
    """On the clock as it was before the change, or as it is after it: one of them is skipped or shown twice."""
    where, (moment,) = near
    by = offset(moment + timedelta(hours=-3 if before else 3), where) or timedelta()
    opens_when_it_shows((moment + by).replace(tzinfo=None), where)


def opens_when_it_shows(wall: datetime, time_zone: ZoneInfo) -> None:
    """A skipped time names the next one, a time shown twice means the first."""
    day, time = wall.date(), wall.time().replace(second=0, microsecond=0)
    try:
        opening = moment_at(day, time, time_zone).utc
    except Skipped as skipped:
        opening = skipped.following.astimezone(UTC)
        assert skipped.following.replace(tzinfo=None) > datetime.combine(day, time)
    else:
        shown = opening.astimezone(time_zone)
        assert (shown.date(), shown.time(), shown.fold) == (day, time, 0)
    plan, second = Plan(opening), timedelta(seconds=1)
    assert [plan.state_at(opening + step).is_open for step in (-second, timedelta(), second)] == [False, True, True]
