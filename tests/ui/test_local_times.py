"""A date, a time and a time zone give one moment, also at clock changes and at the limits of the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from dashboard.core.clock import frozen
from dashboard.web.local_times import MomentForm, Skipped, fields_of, moment_at, moment_text
from dashboard.web.locale import ZONES

MADRID, SANTIAGO = ZoneInfo("Europe/Madrid"), ZoneInfo("America/Santiago")
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def frozen_clock() -> Iterator[None]:
    with frozen(NOW):
        yield


def moment_form(day: str, at: str, zone: str = "Europe/Madrid") -> MomentForm:
    return MomentForm({"date": day, "time": at, "zone": zone})


def errors_of(filled: MomentForm) -> dict[str, list[str]]:
    assert not filled.is_valid()
    return {name: [str(each) for each in found] for name, found in filled.errors.items()}


@pytest.mark.parametrize(
    ("day", "at", "zone", "utc"),
    [
        ("2026-03-28", "02:30", "Europe/Madrid", "2026-03-28T01:30"),
        ("2026-03-29", "01:59", "Europe/Madrid", "2026-03-29T00:59"),
        ("2026-03-29", "03:00", "Europe/Madrid", "2026-03-29T01:00"),
        ("2026-07-01", "00:00", "America/Santiago", "2026-07-01T04:00"),
        ("2026-12-24", "18:30:59", "America/Santiago", "2026-12-24T21:30"),
        ("2026-06-01", "12:00", "Asia/Kathmandu", "2026-06-01T06:15"),
        ("2026-03-02", "12:01", "UTC", "2026-03-02T12:01"),
    ],
)
def test_a_local_time_is_converted_to_utc(day: str, at: str, zone: str, utc: str) -> None:
    filled = moment_form(day, at, zone)
    assert filled.is_valid(), filled.errors
    assert filled.moment.utc == datetime.fromisoformat(utc).replace(tzinfo=UTC)
    assert not filled.moment.twice


@pytest.mark.parametrize(
    ("day", "at", "zone", "following"),
    [
        ("2026-03-29", "02:00", "Europe/Madrid", "03:00"),
        ("2026-03-29", "02:30", "Europe/Madrid", "03:00"),
        ("2026-09-06", "00:00", "America/Santiago", "01:00"),
        ("2026-10-04", "02:15", "Australia/Lord_Howe", "02:30"),
    ],
)
def test_a_time_skipped_by_a_clock_change_is_refused_with_the_next_time(
    day: str, at: str, zone: str, following: str
) -> None:
    (text,) = errors_of(moment_form(day, at, zone))["time"]
    assert text == f"{at} does not exist that day because the clocks go forward. The next time is {following}."
    assert moment_form(day, following, zone).is_valid()


def test_a_skipped_day_gives_the_start_of_the_next_day() -> None:
    with pytest.raises(Skipped) as skipped:
        moment_at(date(2011, 12, 30), time(9), ZoneInfo("Pacific/Apia"))
    assert skipped.value.following.replace(tzinfo=None) == datetime(2011, 12, 31)


def test_a_repeated_time_gives_the_first_moment() -> None:
    filled = moment_form("2026-10-25", "02:30")
    assert filled.is_valid()
    assert filled.moment.twice
    assert filled.moment.utc == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "at", "zone", "field"),
    [
        ("2026-03-02", "12:00", "UTC", "time"),
        ("2026-03-02", "08:59", "America/Santiago", "time"),
        ("2026-03-01", "23:59", "UTC", "date"),
        ("2025-03-02", "13:00", "UTC", "date"),
        ("0001-01-01", "00:00", "Asia/Tokyo", "date"),
    ],
)
def test_a_past_time_is_refused(day: str, at: str, zone: str, field: str) -> None:
    assert errors_of(moment_form(day, at, zone)) == {field: ["This is in the past."]}


@pytest.mark.parametrize(("day", "fine"), [("2027-03-03", True), ("2027-03-04", False), ("9999-12-31", False)])
def test_a_time_more_than_a_year_ahead_is_refused(day: str, fine: bool) -> None:
    filled = moment_form(day, "00:00", "UTC")
    assert filled.is_valid() == fine
    assert fine or "within the next year" in errors_of(filled)["date"][0]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"date": ""}, "date"),
        ({"date": "29/03/2026"}, "date"),
        ({"date": "2026-02-30"}, "date"),
        ({"date": "2026-03-29\x00"}, "date"),
        ({"time": ""}, "time"),
        ({"time": "25:00"}, "time"),
        ({"time": "6 pm"}, "time"),
        ({"zone": ""}, "zone"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
    ],
)
def test_an_invalid_date_time_or_zone_shows_an_error_at_its_field(values: dict[str, str], field: str) -> None:
    filled = MomentForm({"date": "2026-04-01", "time": "10:00", "zone": "UTC"} | values)
    assert set(errors_of(filled)) == {field}


def test_the_default_zone_is_that_of_the_business_or_of_the_person() -> None:
    assert MomentForm(time_zone="America/Santiago")["zone"].value() == "America/Santiago"
    with timezone.override(MADRID):
        assert MomentForm(time_zone="Nowhere")["zone"].value() == "Europe/Madrid"
        assert MomentForm(time_zone=None)["zone"].value() == "Europe/Madrid"
    widget = MomentForm(time_zone="Pacific/Kiritimati")["date"].as_widget()
    assert 'type="date"' in widget and 'min="2026-03-03"' in widget, "in that zone it is already tomorrow"


def test_a_moment_can_be_shown_in_the_form_again() -> None:
    fields = fields_of(datetime(2026, 7, 1, 4, tzinfo=UTC), "America/Santiago")
    assert fields == {"date": "2026-07-01", "time": "00:00", "zone": "America/Santiago"}
    assert MomentForm(fields).is_valid()
    assert fields_of(NOW, "Nowhere")["zone"] == "UTC"


def test_the_text_of_a_moment() -> None:
    moment = datetime(2026, 7, 1, 4, tzinfo=UTC)
    assert moment_text(moment, "America/Santiago") == "1 Jul 2026, 00:00 GMT-4"
    assert moment_text(moment, "Europe/Madrid") == "1 Jul 2026, 06:00 CEST"
    with translation.override("es"):
        assert moment_text(moment, "Europe/Madrid").startswith("1 jul")


@given(
    day=st.dates(date(1975, 1, 1), date(2035, 12, 31)),
    at=st.times().map(lambda each: each.replace(second=0, microsecond=0, fold=0)),
    zone=st.sampled_from(sorted(ZONES)).map(ZoneInfo),
)
def test_a_moment_has_the_given_local_time_unless_that_time_is_skipped(day: date, at: time, zone: ZoneInfo) -> None:
    local = datetime.combine(day, at)
    try:
        found = moment_at(day, at, zone)
    except Skipped as skipped:
        following = skipped.following.replace(tzinfo=None)
        assert following > local
        just_before = (skipped.following.astimezone(UTC) - timedelta(seconds=1)).astimezone(zone)
        assert just_before.replace(tzinfo=None) < local, "no time exists between them"
    else:
        assert found.utc.astimezone(zone).replace(tzinfo=None) == local
        earlier = (found.utc - timedelta(hours=3)).astimezone(zone)
        assert earlier.replace(tzinfo=None) != local, "a repeated time must give the earlier moment"
