"""The URL parameters of activity: what they mean, and what is said about those that mean nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activity.params import MAX_DAYS, ActivityParams, DayRange, Filters
from activity.visits import VisitStep

BOGOTA, SANTIAGO = ZoneInfo("America/Bogota"), ZoneInfo("America/Santiago")
TODAY = date(2026, 3, 12)


def parse(zone: ZoneInfo = BOGOTA, **query: Any) -> ActivityParams:
    return ActivityParams.of(query, zone, TODAY)


def test_without_parameters_it_is_today() -> None:
    params = parse()
    assert params.days == DayRange(TODAY, TODAY, BOGOTA)
    assert (params.filters, params.errors, params.other, params.hour, params.step) == (Filters(), {}, None, None, None)
    assert (params.days.start, params.days.end) == (
        datetime(2026, 3, 12, 5, tzinfo=UTC),
        datetime(2026, 3, 13, 5, tzinfo=UTC),
    )
    assert params.days.utc_dates == (TODAY, TODAY + timedelta(days=1))


def test_filters_are_read_in_the_form_in_which_they_are_compared() -> None:
    params = parse(country=" MÉXICO ", domain="@Uno.Test.", room=" sala1 ", action="room_enter")
    assert params.filters == Filters("mexico", "uno.test", "sala1", "room_enter")
    assert params.filters.values == params.filters._asdict()


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("day", "yesterday", "Enter the day as year-month-day, for example 2026-03-31."),
        ("day", "2026-02-30", "Enter the day as year-month-day, for example 2026-03-31."),
        ("first", "1899-01-01", "Choose a year between 2000 and 2099."),
        ("other", "9999-12-31", "Choose a year between 2000 and 2099."),
        ("hour", "24", "This day does not have that hour."),
        ("hour", "-1", "This day does not have that hour."),
        ("hour", "٣", "This day does not have that hour."),
        ("step", "danced", "There is no such step of a visit."),
        ("room", "x" * 201, "Enter at most 200 characters."),
        ("domain", "x" * 254, "Enter at most 253 characters."),
        ("action", "a\x00b", "This contains characters that cannot be searched for."),
        ("country", "\ud800", "This contains characters that cannot be searched for."),
    ],
)
def test_what_cannot_be_used_is_named(name: str, value: str, text: str) -> None:
    params = ActivityParams.of({name: value}, BOGOTA, TODAY)
    assert params.errors == {name: text}
    assert params.days == parse().days
    assert params.filters == Filters()


def test_ranges_of_days() -> None:
    params = parse(first="2026-03-01", last="2026-03-10")
    assert (params.days.first, params.days.last, params.errors) == (date(2026, 3, 1), date(2026, 3, 10), {})
    assert len(params.days.days) == 10
    assert parse(first="2026-03-01").days.last == TODAY
    assert parse(first="2026-03-10", last="2026-03-01").errors == {"last": "The end date is before the start date."}
    long = parse(first="2026-01-01", last="2026-12-31")
    assert long.errors == {"last": f"Choose at most {MAX_DAYS} days."}
    assert len(long.days.days) == MAX_DAYS


def test_an_hour_exists_on_some_days_only() -> None:
    assert parse(SANTIAGO, day="2026-04-04", hour="24").hour == 24
    assert parse(SANTIAGO, day="2026-09-06", hour="23").errors == {"hour": "This day does not have that hour."}
    assert parse(first="2026-03-01", last="2026-03-05", hour="23").hour == 23
    assert parse(first="2026-03-01", last="2026-03-05", hour="24").hour is None


def test_a_query_string_gives_the_same_parameters() -> None:
    for params in (
        parse(day="2026-03-01", country="perú", hour="7", step="left", other="2026-02-01"),
        parse(first="2026-03-01", last="2026-03-04", room="sala 1&2", domain="uno.test", action="x+y"),
    ):
        query = params.query()
        assert query.startswith("?")
        assert ActivityParams.of(dict(parse_qsl(query[1:])), BOGOTA, TODAY) == params
    params = parse(day="2026-03-01", country="perú", step="left")
    assert params.query(country="", step=None) == "?day=2026-03-01"
    assert params.query(room="sala1", step=VisitStep.ENTERED) == "?day=2026-03-01&country=peru&room=sala1&step=entered"
    assert params.with_filters(country="chile").filters == Filters("chile")


@given(
    st.dictionaries(
        st.sampled_from(["day", "first", "last", "other", "hour", "step", "country", "domain", "room", "action"]),
        st.text(max_size=300) | st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", fullmatch=True),
    )
)
def test_no_parameter_is_an_error_of_the_server(query: dict[str, str]) -> None:
    params = ActivityParams.of(query, SANTIAGO, TODAY)
    assert params.days.start < params.days.end
    assert set(params.errors) <= set(query)
    again = ActivityParams.of(dict(parse_qsl(params.query()[1:])), SANTIAGO, TODAY)
    assert again.days == params.days
    assert not again.errors
