"""Whether a room is open: the one rule, over every moment, zone and change of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ui.moments import Skipped, moment_at
from rooms.state import CLOSED, OPEN, Change, Plan, Why

ZONES = st.sampled_from(sorted(available_timezones() - {"localtime", "Factory"}))
MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
OVERRIDES = st.sampled_from([None, OPEN, CLOSED, "", "OPEN", "paused"])
PLANS = st.builds(Plan, st.none() | MOMENTS, OVERRIDES, st.none() | MOMENTS)
TEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("plan", "moment", "is_open", "why", "following"),
    [
        (Plan(), TEN, False, Why.NOTHING, None),
        (Plan(TEN), TEN - HOUR, False, Why.SCHEDULE, Change(TEN, True)),
        (Plan(TEN), TEN, True, Why.SCHEDULE, None),
        # Held, and no end: nothing changes by itself.
        (Plan(TEN, OPEN), TEN - HOUR, True, Why.OVERRIDE, None),
        (Plan(TEN, CLOSED), TEN + HOUR, False, Why.OVERRIDE, None),
        (Plan(None, OPEN), TEN, True, Why.OVERRIDE, None),
        # Held until it opens.
        (Plan(TEN, CLOSED, TEN), TEN - HOUR, False, Why.OVERRIDE, Change(TEN, True)),
        (Plan(TEN, CLOSED, TEN), TEN, True, Why.SCHEDULE, None),
        (Plan(TEN, OPEN, TEN), TEN - HOUR, True, Why.OVERRIDE, None),
        # Held until a time.
        (Plan(TEN, CLOSED, TEN + HOUR), TEN, False, Why.OVERRIDE, Change(TEN + HOUR, True)),
        (Plan(TEN, OPEN, TEN - HOUR), TEN - 2 * HOUR, True, Why.OVERRIDE, Change(TEN - HOUR, False)),
        (Plan(None, OPEN, TEN), TEN - HOUR, True, Why.OVERRIDE, Change(TEN, False)),
        # What another service may write is no override.
        (Plan(TEN, "paused", TEN + HOUR), TEN, True, Why.SCHEDULE, None),
    ],
)
def test_the_rule(plan: Plan, moment: datetime, is_open: bool, why: Why, following: Change | None) -> None:
    found = plan.at(moment)
    assert (found.is_open, found.why, found.next) == (is_open, why, following)


@given(PLANS, MOMENTS, ZONES)
def test_no_zone_changes_what_a_room_is(plan: Plan, moment: datetime, name: str) -> None:
    """The same moments on other clocks: also in the hours that a clock skips or shows twice."""
    where = ZoneInfo(name)

    def elsewhere(each: datetime | None) -> datetime | None:
        return each.astimezone(where) if each else None

    there = Plan(elsewhere(plan.open_at), plan.override, elsewhere(plan.until))
    assert there.at(moment.astimezone(where)) == plan.at(moment)


@given(PLANS, MOMENTS)
def test_what_comes_next_is_the_first_change(plan: Plan, moment: datetime) -> None:
    """It is so until then, and another from then on; where nothing comes next it stays for ever."""
    found = plan.at(moment)
    edges = {
        each + step for each in (plan.open_at, plan.until) if each for step in (-timedelta(seconds=1), timedelta())
    }
    later = [each for each in edges if each >= moment]
    if found.next is None:
        assert {plan.at(each).is_open for each in later} <= {found.is_open}
        return
    assert found.next.at > moment
    assert found.next.is_open != found.is_open
    assert plan.at(found.next.at).is_open == found.next.is_open
    before = [each for each in later if each < found.next.at]
    assert {plan.at(each).is_open for each in before} <= {found.is_open}


SPANS = st.timedeltas(timedelta(), timedelta(days=400)).map(lambda span: timedelta(seconds=int(span.total_seconds())))
HELD = st.sampled_from([OPEN, CLOSED])


@given(st.none() | MOMENTS, OVERRIDES, MOMENTS, SPANS)
def test_past_its_end_an_override_is_as_if_it_had_never_been(
    open_at: datetime | None, override: str | None, until: datetime, since: timedelta
) -> None:
    plan, moment = Plan(open_at, override, until), until + since
    assert plan.at(moment) == Plan(open_at).at(moment)
    assert plan.held(moment) is None


@given(st.none() | MOMENTS, HELD, MOMENTS, SPANS, st.booleans())
def test_what_is_held_is_so_until_its_end(
    open_at: datetime | None, override: str, moment: datetime, left: timedelta, ends: bool
) -> None:
    plan = Plan(open_at, override, moment + left + timedelta(seconds=1) if ends else None)
    found = plan.at(moment)
    assert (found.is_open, found.why) == (override == OPEN, Why.OVERRIDE)
    assert not plan.lapsed(moment)


@given(st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1)), ZONES)
def test_an_opening_on_a_wall_clock_opens_when_that_clock_shows_it(wall: datetime, name: str) -> None:
    """Over every change of the clocks: a skipped time names the next one, a time shown twice means the first."""
    where = ZoneInfo(name)
    day, time = wall.date(), wall.time().replace(second=0, microsecond=0)
    try:
        opening = moment_at(day, time, where).utc
    except Skipped as skipped:
        opening = skipped.following.astimezone(UTC)
        assert skipped.following.replace(tzinfo=None) > datetime.combine(day, time)
    else:
        shown = opening.astimezone(where)
        assert (shown.date(), shown.time()) == (day, time)
    plan, second = Plan(opening), timedelta(seconds=1)
    assert [plan.at(opening + step).is_open for step in (-second, timedelta(), second)] == [False, True, True]
