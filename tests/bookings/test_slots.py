"""The slot engine against a check of every minute, in zones from UTC-11 to UTC+14 and across clock changes."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import combinations, pairwise
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bookings.hours import DAY, clock_times
from bookings.slots import (
    DayHours,
    Hours,
    Range,
    Rules,
    SlotLength,
    Span,
    TakenTime,
    UnavailableReason,
    check_start,
    first_overlap,
    free_starts,
    next_free,
    offered_starts,
    slot_length_of,
    working_spans,
)
from bookings.states import Status

MINUTE, QUARTER = timedelta(minutes=1), timedelta(minutes=15)
ZONES = [
    *("Pacific/Pago_Pago", "America/Adak", "America/Los_Angeles", "America/Santiago", "America/Havana"),
    *("America/St_Johns", "America/Bogota", "America/Asuncion", "Atlantic/Azores", "UTC", "Europe/Madrid"),
    *("Africa/Casablanca", "Africa/Cairo", "Asia/Beirut", "Asia/Kathmandu", "Australia/Lord_Howe"),
    *("Australia/Adelaide", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati"),
]
NOW = datetime(2024, 1, 1, tzinfo=UTC)
FIRST, DAYS = date(2025, 1, 1), 1095


@cache
def clock_changes(zone: str) -> list[date]:
    """The dates on which a zone's clocks are put forward or back."""
    time_zone = ZoneInfo(zone)
    middays = [datetime.combine(FIRST + n * DAY, dt.time(12), time_zone) for n in range(DAYS)]
    return [b.date() for a, b in pairwise(middays) if a.utcoffset() != b.utcoffset()]


@st.composite
def days_in(draw: Any, zone: str) -> date:
    """Dates, many of them on or next to a clock change."""
    if clock_changes(zone) and draw(st.booleans()):
        change: date = draw(st.sampled_from(clock_changes(zone)))
        return change + int(draw(st.integers(-1, 1))) * DAY
    return FIRST + int(draw(st.integers(1, DAYS))) * DAY


@st.composite
def ranges(draw: Any, most: int = 3) -> tuple[Range, ...]:
    found = []
    for _ in range(draw(st.integers(0, most))):
        start = draw(st.integers(0, 1439))
        found.append(Range(start, draw(st.integers(start + 1, 1440))))
    return tuple(found)


@st.composite
def day_hours(draw: Any) -> DayHours:
    whole = draw(st.integers(0, 3)) == 0
    return DayHours((Range(0, 1440),) if whole else draw(ranges()), draw(ranges(2)))


@st.composite
def slot_lengths(draw: Any) -> SlotLength:
    minutes = st.integers(0, 90)
    return SlotLength(draw(st.integers(1, 400)) * MINUTE, draw(minutes) * MINUTE, draw(minutes) * MINUTE)


@st.composite
def cases(draw: Any) -> tuple[Hours, date, SlotLength, list[TakenTime], Rules]:
    zone = draw(st.sampled_from(ZONES))
    day = draw(days_in(zone))
    weekly = {weekday: draw(day_hours()) for weekday in draw(st.sets(st.integers(0, 6), min_size=3))}
    exceptions = draw(
        st.dictionaries(st.sampled_from([day - DAY, day, day + DAY]), st.none() | day_hours(), max_size=1)
    )
    noon = datetime.combine(day, dt.time(12), UTC)
    taken = []
    for number in range(draw(st.integers(0, 5))):
        start = noon + draw(st.integers(-2000, 2000)) * MINUTE
        lapses = draw(st.none() | st.sampled_from([NOW - MINUTE, NOW, noon + 365 * DAY]))
        span = Span(start, start + draw(st.integers(1, 300)) * MINUTE)
        taken.append(TakenTime(f"b{number}", span, draw(st.sampled_from(list(Status))), lapses))
    now = draw(st.sampled_from([NOW, noon]))
    notice = draw(st.sampled_from([timedelta(), timedelta(hours=2)]))
    horizon = draw(st.sampled_from([None, timedelta(hours=5), timedelta(days=2000)]))
    rules = Rules(now, notice, horizon, draw(st.sampled_from([QUARTER, 7 * MINUTE, timedelta(hours=1)])))
    return Hours(ZoneInfo(zone), weekly, exceptions), day, draw(slot_lengths()), taken, rules


# --- The check of every minute -------------------------------------------------------------------
def is_worked(hours: Hours, moment: datetime) -> bool:
    """Whether the local clock shows a time within the hours; this uses no offsets."""
    local = moment.astimezone(hours.zone)
    planned, minute = hours.on(local.date()), local.hour * 60 + local.minute

    def within(ranges: tuple[Range, ...]) -> bool:
        return any(each.start_minute <= minute < each.end_minute for each in ranges)

    return planned is not None and within(planned.ranges) and not within(planned.breaks)


def minutes_of(span: Span) -> list[datetime]:
    return [span.start + n * MINUTE for n in range((span.end - span.start) // MINUTE)]


def is_free(hours: Hours, start: datetime, slot_length: SlotLength, taken: list[TakenTime], rules: Rules) -> bool:
    if start < rules.checked_at + rules.notice or (
        rules.horizon is not None and start > rules.checked_at + rules.horizon
    ):
        return False
    if not all(is_worked(hours, moment) for moment in minutes_of(slot_length.span(start))):
        return False
    mine = set(minutes_of(slot_length.with_buffers(start)))
    for each in taken:
        waits = each.status == "PENDING" and (each.lapses_at is None or rules.checked_at < each.lapses_at)
        if (waits or each.status in {"CONFIRMED", "NO_SHOW"}) and mine & set(minutes_of(each.span_with_buffers)):
            return False
    return True


# --- Properties ----------------------------------------------------------------------------------
@given(cases())
@settings(max_examples=60)
def test_working_spans_match_the_local_clock(case: tuple[Hours, date, SlotLength, list[TakenTime], Rules]) -> None:
    hours, day, *_rest = case
    midnight = datetime.combine(day, dt.time(), UTC)
    around = minutes_of(Span(midnight - 16 * 60 * MINUTE, midnight + 40 * 60 * MINUTE))
    expected = {moment for moment in around if hours.date_of(moment) == day and is_worked(hours, moment)}
    found = working_spans(hours, day)
    assert {moment for span in found for moment in minutes_of(span)} == expected
    assert all(one.end < other.start for one, other in pairwise(found)), "separate and in order"


@given(cases())
@settings(max_examples=100)
def test_offered_starts_are_free_and_others_have_a_reason(
    case: tuple[Hours, date, SlotLength, list[TakenTime], Rules],
) -> None:
    hours, day, slot_length, taken, rules = case
    offered, all_starts = free_starts(*case), offered_starts(hours, day, rules.step)
    assert len(all_starts) == len(set(all_starts)), "no start twice"
    assert {hours.date_of(start) for start in all_starts} <= {day}
    assert set(offered) <= set(all_starts)
    for start in all_starts:
        verdict = check_start(hours, start, slot_length, taken, rules)
        assert verdict.is_free == (start in offered) == is_free(hours, start, slot_length, taken, rules)
        assert verdict.is_free or verdict.reason is not None
        assert (verdict.taken is not None) == (verdict.reason == UnavailableReason.TAKEN)


@given(cases(), st.integers(-100, 1600))
@settings(max_examples=150)
def test_any_start_can_be_checked(case: tuple[Hours, date, SlotLength, list[TakenTime], Rules], minute: int) -> None:
    hours, day, slot_length, taken, rules = case
    start = datetime.combine(day, dt.time(), UTC) + minute * MINUTE
    verdict = check_start(hours, start, slot_length, taken, rules)
    assert verdict.is_free == is_free(hours, start, slot_length, taken, rules)
    if verdict.taken is not None:
        assert verdict.taken.span_with_buffers.overlaps(slot_length.with_buffers(start))
    if verdict.reason == UnavailableReason.BREAK:
        assert verdict.window is not None and verdict.window.overlaps(slot_length.span(start))


@given(cases(), st.lists(st.tuples(slot_lengths(), st.integers(0, 200)), min_size=2, max_size=8))
@settings(max_examples=60)
def test_bookings_made_one_after_another_never_overlap(
    case: tuple[Hours, date, SlotLength, list[TakenTime], Rules], requests: list[tuple[SlotLength, int]]
) -> None:
    hours, day, _slot_length, taken, rules = case
    booked: list[TakenTime] = []
    for number, (slot_length, choice) in enumerate(requests):
        starts = free_starts(hours, day, slot_length, [*taken, *booked], rules)
        if starts:
            booked.append(TakenTime(f"new{number}", slot_length.with_buffers(starts[choice % len(starts)])))
    taking_time = [*booked, *(each for each in taken if each.takes_time(rules.checked_at))]
    for one, other in combinations(taking_time, 2):
        if one in booked or other in booked:
            assert not one.span_with_buffers.overlaps(other.span_with_buffers)


@given(st.sampled_from(ZONES), st.sampled_from(ZONES), st.data())
@settings(max_examples=60)
def test_the_same_hours_give_the_same_local_times_in_every_zone(one: str, other: str, data: Any) -> None:
    day = FIRST + data.draw(st.integers(2, DAYS - 2)) * DAY
    near = {day - DAY, day, day + DAY}
    assume(not near & {*clock_changes(one), *clock_changes(other)})
    week, slot_length = {n: data.draw(day_hours()) for n in range(7)}, data.draw(slot_lengths())

    def local_starts(zone: str) -> list[datetime]:
        hours = Hours(ZoneInfo(zone), week)
        return [
            each.astimezone(hours.zone).replace(tzinfo=None)
            for each in free_starts(hours, day, slot_length, [], Rules(NOW))
        ]

    assert local_starts(one) == local_starts(other)


@given(st.sampled_from(ZONES), st.integers(0, 6), st.data())
@settings(max_examples=80)
@example("Pacific/Kiritimati", 0, None).via("the first zone to reach a Monday")
@example("Pacific/Pago_Pago", 6, None).via("the last zone to leave a Sunday")
def test_weekdays_are_in_the_providers_time_zone(zone: str, weekday: int, data: Any) -> None:
    hours = Hours(ZoneInfo(zone), {weekday: DayHours((Range(0, 1440),))})
    first = data.draw(days_in(zone)) if data is not None else date(2026, 6, 1)
    for day in (first + n * DAY for n in range(7)):
        starts = free_starts(hours, day, SlotLength(QUARTER), [], Rules(NOW))
        assert bool(starts) == (day.weekday() == weekday)
        assert {each.astimezone(hours.zone).weekday() for each in starts} <= {weekday}


@given(cases(), st.integers(0, 5))
@settings(max_examples=40)
def test_next_free_returns_the_first_free_starts(
    case: tuple[Hours, date, SlotLength, list[TakenTime], Rules], count: int
) -> None:
    hours, day, slot_length, taken, rules = case
    after = datetime.combine(day, dt.time(7), UTC)
    first = hours.date_of(max(after, rules.checked_at + rules.notice))
    all_free = [each for n in range(4) for each in free_starts(hours, first + n * DAY, slot_length, taken, rules)]
    later = [each for each in all_free if each >= after]
    assert next_free(hours, after, slot_length, taken, rules, count=max(count, 1), days=4) == later[: max(count, 1)]


# --- Known clock changes -------------------------------------------------------------------------
MADRID = ZoneInfo("Europe/Madrid")


def local_times(hours: Hours, day: date, minutes: int = 30) -> list[str]:
    found = free_starts(hours, day, SlotLength(minutes * MINUTE), [], Rules(NOW, step=30 * MINUTE))
    return [each.astimezone(hours.zone).strftime("%H:%M%z") for each in found]


def test_hours_that_begin_in_a_skipped_hour_begin_after_it() -> None:
    hours = Hours(MADRID, {6: DayHours((Range(150, 240),))})
    assert local_times(hours, date(2026, 3, 29)) == ["03:00+0200", "03:30+0200"]
    assert local_times(hours, date(2026, 4, 5)) == ["02:30+0200", "03:00+0200", "03:30+0200"]


def test_a_repeated_hour_is_worked_twice() -> None:
    hours = Hours(MADRID, {6: DayHours((Range(120, 180),))})
    assert local_times(hours, date(2026, 10, 25)) == ["02:00+0200", "02:30+0200", "02:00+0100", "02:30+0100"]
    assert local_times(hours, date(2026, 10, 25), minutes=120) == ["02:00+0200"], "the repeated hour is one span"


def test_hours_across_midnight_are_one_span() -> None:
    hours = Hours(MADRID, {0: DayHours((Range(1380, 1440),)), 1: DayHours((Range(0, 60),))})
    monday = date(2026, 6, 1)
    assert local_times(hours, monday, minutes=90) == ["23:00+0200", "23:30+0200"]
    assert local_times(hours, monday + DAY, minutes=90) == []
    late = Hours(MADRID, {0: DayHours((Range(1380, 1440),))})
    assert local_times(late, monday, minutes=90) == []


def test_a_date_that_a_zone_skipped_has_no_starts() -> None:
    """Samoa skipped 30 December 2011."""
    hours = Hours(ZoneInfo("Pacific/Apia"), {n: DayHours((Range(0, 1440),)) for n in range(7)})
    assert working_spans(hours, date(2011, 12, 30)) == []
    assert clock_times(hours.zone, date(2011, 12, 30), QUARTER) == []
    assert len(working_spans(hours, date(2011, 12, 31))) == 1


# --- Reasons -------------------------------------------------------------------------------------
WEEK = Hours(
    MADRID,
    {0: DayHours((Range(540, 780), Range(900, 1140)), (Range(660, 675),))},
    {date(2026, 6, 8): None, date(2026, 6, 9): DayHours((Range(600, 660),))},
)
MONDAY = date(2026, 6, 1)


def utc_time(day: date, clock: str) -> datetime:
    return datetime.combine(day, dt.time.fromisoformat(clock), MADRID).astimezone(UTC)


def reason_at(day: date, clock: str, minutes: int = 60, **rules: Any) -> UnavailableReason | None:
    taken = [TakenTime("b1", Span(utc_time(MONDAY, "15:00"), utc_time(MONDAY, "16:10")))]
    slot_length = SlotLength(minutes * MINUTE, buffer_after=10 * MINUTE)
    return check_start(WEEK, utc_time(day, clock), slot_length, taken, Rules(**({"checked_at": NOW} | rules))).reason


def test_each_reason_is_reported() -> None:
    assert reason_at(MONDAY, "09:00") is None
    assert reason_at(MONDAY, "12:00") is None, "a buffer may exceed the hours"
    assert reason_at(MONDAY, "08:45") == UnavailableReason.OUTSIDE_HOURS
    assert reason_at(MONDAY, "12:15") == UnavailableReason.OUTSIDE_HOURS
    assert reason_at(MONDAY, "10:30") == UnavailableReason.BREAK
    assert reason_at(MONDAY, "11:05", minutes=5) == UnavailableReason.BREAK
    assert reason_at(MONDAY, "16:00") == UnavailableReason.TAKEN
    assert reason_at(MONDAY, "16:10") is None
    assert reason_at(MONDAY + DAY, "10:00") == UnavailableReason.NO_HOURS
    assert reason_at(date(2026, 6, 8), "10:00") == UnavailableReason.DAY_OFF
    assert reason_at(date(2026, 6, 9), "10:00") is None, "the date has its own hours"
    assert reason_at(MONDAY, "09:00", checked_at=utc_time(MONDAY, "09:01")) == UnavailableReason.PAST
    assert (
        reason_at(MONDAY, "09:00", checked_at=utc_time(MONDAY, "08:30"), notice=timedelta(hours=1))
        == UnavailableReason.NOTICE
    )
    assert reason_at(MONDAY, "09:00", horizon=timedelta(days=1)) == UnavailableReason.HORIZON


def test_a_refusal_has_the_taken_time_or_the_window() -> None:
    taken = [TakenTime("b2", Span(utc_time(MONDAY, "10:00"), utc_time(MONDAY, "11:00")))]
    verdict = check_start(WEEK, utc_time(MONDAY, "09:30"), SlotLength(60 * MINUTE), taken, Rules(NOW))
    assert verdict.taken == taken[0]
    outside = check_start(WEEK, utc_time(MONDAY, "12:30"), SlotLength(60 * MINUTE), [], Rules(NOW))
    assert outside.window == Span(utc_time(MONDAY, "11:15"), utc_time(MONDAY, "13:00"))
    pause = check_start(WEEK, utc_time(MONDAY, "10:30"), SlotLength(60 * MINUTE), [], Rules(NOW))
    assert pause.window == Span(utc_time(MONDAY, "11:00"), utc_time(MONDAY, "11:15"))
    notice = check_start(
        WEEK, utc_time(MONDAY, "09:00"), SlotLength(MINUTE), [], Rules(utc_time(MONDAY, "08:59"), timedelta(hours=1))
    )
    assert notice.first_or_last_start == utc_time(MONDAY, "09:59")


def test_which_statuses_take_time() -> None:
    span, later = Span(NOW, NOW + QUARTER), NOW + MINUTE

    def takes_time(status: str, lapses_at: datetime | None = None) -> bool:
        return first_overlap(span, [TakenTime("b", span, status, lapses_at)], NOW) is not None

    assert takes_time("CONFIRMED") and takes_time("NO_SHOW") and takes_time("PENDING") and takes_time("PENDING", later)
    assert not takes_time("CANCELLED") and not takes_time("PENDING", NOW) and not takes_time("PENDING", NOW - MINUTE)
    assert takes_time("CONFIRMED", NOW - MINUTE), "a deadline counts only for pending bookings"
    assert takes_time("COMPLETED"), "an unknown status takes time"


def test_the_slot_length_of_a_service() -> None:
    assert slot_length_of(60, 5, 10) == SlotLength(60 * MINUTE, 5 * MINUTE, 10 * MINUTE)
    assert slot_length_of(60) == slot_length_of(60.0, None, "x") == slot_length_of("60") == SlotLength(60 * MINUTE)
    for odd in (None, 0, -5, "long", True, [60], float("nan"), float("inf"), 0.5, 1441, 10**30):
        assert slot_length_of(odd) is None
    assert slot_length_of(1430, 5, 5) is not None
    assert slot_length_of(1430, 5, 6) is None, "more than a day with its buffers"
