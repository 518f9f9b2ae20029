"""The week of the form and the stored days: only changes are written, and extra values are kept."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookings.forms.hours import HoursForm
from bookings.forms.times import InvalidTime, read_times
from bookings.hours import WEEKDAYS, DayHours, Hours, Range, hours_of
from bookings.week import StoredDay, Week, changed_days, clock, hours_text, is_within

SINCE = dt.date(2026, 3, 2)
UTC = ZoneInfo("UTC")
NINE, TEN = {"startTime": "09:00", "endTime": "10:00"}, {"startTime": "10:00", "endTime": "11:00"}


def days(**wanted: DayHours) -> Week:
    return Week(wanted, {}, SINCE)


def test_only_days_that_differ_are_written() -> None:
    stored = {"MON": StoredDay("MON", [NINE], [], []), "TUE": StoredDay("TUE", [TEN], [], [])}
    week = days(MON=DayHours((Range(540, 600),)), TUE=DayHours((Range(480, 600),)))
    assert changed_days(stored, week) == {"TUE": StoredDay("TUE", [{"startTime": "08:00", "endTime": "10:00"}], [], [])}
    assert changed_days({}, days()) == {}


def test_extra_values_of_outside_writers_are_kept() -> None:
    room = {**NINE, "room": "A"}
    stored = {"MON": StoredDay("MON", [{"odd": 1}, room, TEN], None, ["whenever"])}
    week = days(MON=DayHours((Range(540, 600), Range(720, 780))))
    (found,) = changed_days(stored, week).values()
    assert found.time_ranges == [room, {"startTime": "12:00", "endTime": "13:00"}, {"odd": 1}]
    assert (found.breaks, found.exceptions) == (None, ["whenever"])


def test_the_order_of_ranges_does_not_matter() -> None:
    stored = {"MON": StoredDay("MON", [TEN, NINE], [], [])}
    assert changed_days(stored, days(MON=DayHours((Range(540, 600), Range(600, 660))))) == {}


def test_a_special_date_is_stored_with_its_weekday() -> None:
    friday, saturday = dt.date(2026, 3, 6), dt.date(2026, 3, 7)
    week = Week({}, {friday: None, saturday: DayHours((Range(540, 600),))}, SINCE)
    found = changed_days({}, week)
    assert found["FRI"].exceptions == [{"date": "2026-03-06", "off": True}]
    assert found["SAT"].exceptions == [{"date": "2026-03-07", "timeRanges": [NINE], "breaks": []}]
    assert set(found) == {"FRI", "SAT"}


def test_a_date_stored_with_another_weekday_is_moved_and_past_dates_are_kept() -> None:
    friday = dt.date(2026, 3, 6)
    past, mine = {"date": "2026-02-02", "off": True}, "2026-03-06"
    stored = {"MON": StoredDay("MON", [], [], [past, mine, 7])}
    assert changed_days(stored, Week({}, {friday: None}, SINCE)) == {}, "a plain date already means a day off"
    moved = changed_days(stored, Week({}, {friday: DayHours((Range(540, 600),))}, SINCE))
    assert moved["MON"].exceptions == [past, 7]
    assert moved["FRI"].exceptions == [{"date": "2026-03-06", "timeRanges": [NINE], "breaks": []}]
    assert changed_days(stored, Week({}, {}, SINCE))["MON"].exceptions == [past, 7]


def test_the_breaks_of_a_date_are_kept_where_they_fit() -> None:
    entry = {"date": "2026-03-06", "timeRanges": [NINE, TEN], "breaks": [{"startTime": "09:15", "endTime": "09:30"}]}
    stored = {"FRI": StoredDay("FRI", [], [], [entry])}
    friday = dt.date(2026, 3, 6)
    same = Week({}, {friday: DayHours((Range(540, 600), Range(600, 660)))}, SINCE)
    assert changed_days(stored, same) == {}
    longer = Week({}, {friday: DayHours((Range(540, 720),))}, SINCE)
    (new,) = changed_days(stored, longer)["FRI"].exceptions or []
    assert new["breaks"] == [{"startTime": "09:15", "endTime": "09:30"}]
    later = Week({}, {friday: DayHours((Range(600, 720),))}, SINCE)
    (new,) = changed_days(stored, later)["FRI"].exceptions or []
    assert new["breaks"] == []


_RANGES = st.lists(st.tuples(st.integers(0, 1439), st.integers(1, 1440)), max_size=3).map(
    lambda pairs: tuple(Range(a, b) for a, b in pairs if a < b)
)
_HOURS = st.builds(DayHours, _RANGES, _RANGES)
_DATES = st.dictionaries(st.dates(SINCE, SINCE + dt.timedelta(days=30)), st.one_of(st.none(), _HOURS), max_size=4)
_ODD = st.lists(
    st.sampled_from([7, None, "x", {}, {"a": 1}, {"date": "2026-02-01", "off": True}, "2026-03-09"]), max_size=3
)
_STORED = st.dictionaries(
    st.sampled_from(WEEKDAYS), st.builds(lambda *lists: lists, _ODD, _ODD, st.one_of(st.none(), _ODD)), max_size=7
).map(lambda found: {day: StoredDay(day, *lists) for day, lists in found.items()})


@given(_STORED, st.dictionaries(st.sampled_from(WEEKDAYS), _HOURS), _DATES)
def test_the_written_days_are_read_as_the_same_week(
    stored: dict[str, StoredDay], wanted: dict[str, DayHours], dates: dict[dt.date, DayHours | None]
) -> None:
    week = Week(wanted, dates, SINCE)
    changed = changed_days(stored, week)
    after = hours_of(UTC, (stored | changed).values())
    for number, weekday in enumerate(WEEKDAYS):
        hours = after.weekly.get(number, DayHours())
        assert sorted(hours.ranges) == sorted(wanted.get(weekday, DayHours()).ranges)
        assert sorted(hours.breaks) == sorted(wanted.get(weekday, DayHours()).breaks)
    coming = {day: each for day, each in after.exceptions.items() if day >= SINCE}
    assert {day: sorted(each.ranges) if each else [] for day, each in coming.items()} == {
        day: sorted(each.ranges) if each else [] for day, each in dates.items()
    }
    assert changed_days(stored | changed, week) == {}, "a second save changes nothing"
    for day, was in stored.items():
        odd = [each for each in was.time_ranges or [] if each not in (None,)]
        assert all(each in ((stored | changed)[day].time_ranges or []) for each in odd)


# --- Form input ---
@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        ("", "", None),
        ("09:00", "13:00", Range(540, 780)),
        ("9:00", "13.30", Range(540, 810)),
        ("22:00", "00:00", Range(1320, 1440)),
        ("00:00", "24:00", Range(0, 1440)),
        ("00:00", "00:00", Range(0, 1440)),
        ("09:00:00", "10:00:00", Range(540, 600)),
    ],
)
def test_valid_times_are_parsed(start: str, end: str, found: Range | None) -> None:
    assert read_times(start, end) == found


@pytest.mark.parametrize(
    ("start", "end", "at_end"),
    [
        ("09:00", "", True),
        ("", "10:00", False),
        ("13:00", "09:00", True),
        ("09:00", "09:00", True),
        ("25:00", "26:00", False),
        ("09:60", "10:00", False),
        ("09:00", "noon", True),
        ("٠٩:٠٠", "10:00", False),
        ("24:00", "24:00", False),
        ("22:00", "02:00", True),
    ],
)
def test_invalid_times_are_refused_at_their_field(start: str, end: str, at_end: bool) -> None:
    with pytest.raises(InvalidTime) as error:
        read_times(start, end)
    assert error.value.at_end is at_end


def build_form(**fields: str) -> HoursForm:
    form = HoursForm.from_post(fields)
    form.is_valid(SINCE, {})
    return form


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"MON_range_0_start": "09:00", "MON_range_0_end": "08:00"}, {"MON_range_0_end": "The end must be after"}),
        (
            {
                "MON_range_0_start": "09:00",
                "MON_range_0_end": "12:00",
                "MON_range_1_start": "11:00",
                "MON_range_1_end": "13:00",
            },
            {"MON_range_1_start": "This overlaps 09:00–12:00."},
        ),
        (
            {
                "MON_range_0_start": "09:00",
                "MON_range_0_end": "12:00",
                "MON_break_0_start": "11:50",
                "MON_break_0_end": "12:10",
            },
            {"MON_break_0_start": "A break must be within the hours of its day."},
        ),
        ({"MON_break_0_start": "11:00", "MON_break_0_end": "12:00"}, {"MON_break_0_start": "A break must be within"}),
        ({"date_0_day": "2026-02-30"}, {"date_0_day": "Enter a date with year, month and day"}),
        ({"date_0_day": "2026-02-28"}, {"date_0_day": "This is in the past."}),
        ({"date_0_day": "2027-12-01"}, {"date_0_day": "This is more than a year ahead"}),
        ({"date_0_day": "", "date_0_start": "09:00"}, {"date_0_day": "Enter a date."}),
        ({"date_0_day": "2026-03-06", "date_0_kind": "other"}, {"date_0_start": "Enter the hours of this date"}),
        (
            {"date_0_day": "2026-03-06", "date_1_day": "2026-03-06"},
            {"date_1_day": "This date is listed twice"},
        ),
    ],
)
def test_an_invalid_field_has_an_error_and_keeps_the_input(fields: dict[str, str], errors: dict[str, str]) -> None:
    form = build_form(**fields)
    assert {cell.name for cell in form.errors} == set(errors)
    for cell in form.errors:
        assert errors[cell.name] in cell.error
        assert cell.value == fields.get(cell.name, ""), "the input is kept"


def test_adjacent_ranges_do_not_overlap_and_can_share_a_break() -> None:
    form = build_form(
        MON_range_0_start="09:00",
        MON_range_0_end="12:00",
        MON_range_1_start="12:00",
        MON_range_1_end="14:00",
        MON_break_0_start="11:45",
        MON_break_0_end="12:15",
    )
    assert form.errors == []
    assert is_within(Range(705, 735), form.week.days["MON"].ranges)
    assert not is_within(Range(705, 735), [Range(540, 720), Range(721, 800)])


def test_two_rows_of_a_date_are_two_ranges() -> None:
    rows = {"date_0_day": "2026-03-06", "date_0_kind": "other", "date_0_start": "09:00", "date_0_end": "10:00"}
    rows |= {"date_1_day": "2026-03-06", "date_1_kind": "other", "date_1_start": "11:00", "date_1_end": "12:00"}
    form = build_form(**rows)
    assert form.week.exceptions == {dt.date(2026, 3, 6): DayHours((Range(540, 600), Range(660, 720)))}


def test_a_week_in_the_form_is_read_back_unchanged() -> None:
    friday = dt.date(2026, 3, 6)
    hours = Hours(UTC, {0: DayHours((Range(0, 1440),), (Range(60, 90),))}, {friday: None, dt.date(2026, 1, 1): None})
    form = HoursForm.from_hours(hours, SINCE, 3)
    fields = {cell.name: cell.value for day in form.days for row in day.rows for cell in (row.start, row.end)}
    fields |= {cell.name: cell.value for row in form.dates for cell in (row.day, row.start, row.end)}
    again = build_form(**fields)
    assert again.week.days["MON"] == hours.weekly[0]
    assert again.week.exceptions == {friday: None}, "past dates are not in the form"
    assert again.week.days["TUE"] == DayHours()


def test_rows_are_added_and_removed_and_days_are_copied() -> None:
    form = build_form(MON_range_0_start="09:00", MON_range_0_end="x", copy_from="MON", copy_to_TUE="1", copy_to_MON="1")
    form.act("add MON break")
    form.act("add date")
    assert (len(form.days[0].breaks), len(form.dates)) == (1, 1)
    form.act("copy")
    assert [(row.start.name, row.start.value, row.end.value) for row in form.days[1].ranges] == [
        ("TUE_range_0_start", "09:00", "x")
    ]
    form.act("remove MON range 0")
    form.act("remove date 0")
    assert (form.days[0].ranges, form.dates) == ([], [])
    for nonsense in (
        "remove",
        "add",
        "add X range",
        "add MON x",
        "remove MON range 99",
        "remove date x",
        "x y z",
        "copy x",
    ):
        form.act(nonsense)
    for _ in range(100):
        form.act("add MON range")
        form.act("add date")
    assert (len(form.days[0].ranges), len(form.dates)) == (8, 60)


def test_hours_as_text() -> None:
    hours = DayHours((Range(900, 1440), Range(540, 780)), (Range(660, 675),))
    assert hours_text(hours) == "09:00–13:00, 15:00–24:00 − 11:00–11:15"
    assert (hours_text(None), hours_text(DayHours()), clock(1440)) == ("", "", "24:00")
