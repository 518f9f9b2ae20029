"""A day in a filter is a calendar day in the reader's time zone, also when the clock changes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, strategies

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.services import profile
from dashboard.platform.audit.forms import TrailForm
from dashboard.platform.audit.queries import AuditFilter
from dashboard.table import read
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from dashboard.web.ranges import day_start
from tests.audit.entries import listed_ids, put, raw_entry
from tests.conftest import ACTOR, sign_in

# Time zone, day, and the number of hours of that day.
DAYS = [
    ("UTC", "2025-09-21", 24),
    ("America/Bogota", "2025-09-21", 24),
    ("Europe/Madrid", "2025-03-30", 23),
    ("Europe/Madrid", "2025-10-26", 25),
    # The clock skips midnight.
    ("America/Santiago", "2025-09-07", 23),
    # The last hour of the day occurs twice.
    ("America/Santiago", "2025-04-05", 25),
    # The first hour of the day occurs twice.
    ("America/Havana", "2025-11-02", 25),
    ("Asia/Kathmandu", "2025-09-21", 24),
    ("Australia/Lord_Howe", "2025-10-05", 23.5),
]


def filter_for(since: str = "", until: str = "") -> AuditFilter:
    form = TrailForm({"since": since, "until": until})
    assert form.is_valid(), form.errors
    return form.filters


@pytest.mark.parametrize(("zone", "day", "hours"), DAYS)
def test_a_day_starts_and_ends_at_midnight_of_the_time_zone(zone: str, day: str, hours: float) -> None:
    with timezone.override(ZoneInfo(zone)):
        first = day_start(date.fromisoformat(day))
        after = day_start(date.fromisoformat(day) + timedelta(days=1))
        filters = filter_for(day, day)
    assert (after - first) == timedelta(hours=hours)
    assert to_wire(first).startswith(filters.since or "-")
    assert filters.until == to_wire(after - timedelta(seconds=1)).removesuffix("Z")
    assert first.astimezone(ZoneInfo(zone)).date().isoformat() == day
    assert (first - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).date().isoformat() < day


@pytest.mark.parametrize(("zone", "day", "hours"), DAYS)
def test_a_day_includes_exactly_its_first_and_last_second(
    people_by_role: dict[str, Person], zone: str, day: str, hours: float
) -> None:
    admin = people_by_role["admin"]
    profile.edit(
        admin.email,
        name="Alma",
        language="en",
        timezone=zone,
        theme="",
        revision=admin.revision,
        command=new_command(ACTOR),
    )
    with timezone.override(ZoneInfo(zone)):
        first, after = (day_start(date.fromisoformat(day) + timedelta(days=n)) for n in (0, 1))
    moments = {
        "eve": first - timedelta(seconds=1),
        "first": first,
        "last": after - timedelta(seconds=1),
        "next": after,
    }
    put(*(raw_entry(moment, id) for id, moment in moments.items()))
    browser = sign_in(admin)
    assert listed_ids(browser, f"/audit/?since={day}&until={day}") == ["last", "first"]
    assert listed_ids(browser, f"/audit/?since={day}&until=2026-01-01") == ["next", "last", "first"]
    assert listed_ids(browser, f"/audit/?until={day}") == ["last", "first", "eve"]


@pytest.fixture(autouse=True)
def reset_time_zone() -> Iterator[None]:
    yield
    timezone.deactivate()


def test_a_day_that_the_time_zone_skipped_contains_nothing(people_by_role: dict[str, Person]) -> None:
    """Samoa skipped 30 December 2011. The start of that day is not before its end."""
    with timezone.override(ZoneInfo("Pacific/Apia")):
        filters = filter_for("2011-12-30", "2011-12-30")
    assert read.is_empty_range(filters.since, filters.until)
    admin = people_by_role["admin"]
    profile.edit(
        admin.email,
        name="Alma",
        language="en",
        timezone="Pacific/Apia",
        theme="",
        revision=admin.revision,
        command=new_command(ACTOR),
    )
    put(raw_entry(datetime(2011, 12, 30, 10, tzinfo=UTC), "first"), raw_entry("2011-12-30T09:59:59Z", "last"))
    browser: Client = sign_in(admin)
    assert listed_ids(browser, "/audit/?since=2011-12-30&until=2011-12-30") == []
    assert listed_ids(browser, "/audit/?since=2011-12-31&until=2011-12-31") == ["first"]
    assert listed_ids(browser, "/audit/?since=2011-12-29&until=2011-12-29") == ["last"]


ZONES = ["UTC", "America/Santiago", "America/Havana", "Europe/Madrid", "Asia/Tokyo", "Pacific/Chatham", "Africa/Cairo"]


@given(
    zone=strategies.sampled_from(ZONES),
    moment=strategies.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=strategies.just(UTC)),
)
def test_every_moment_belongs_to_exactly_one_day(zone: str, moment: datetime) -> None:
    key = to_wire(moment)
    day = moment.astimezone(ZoneInfo(zone)).date()
    with timezone.override(ZoneInfo(zone)):
        matching_days = [
            each
            for each in (day + timedelta(days=n) for n in (-1, 0, 1))
            if (filters := filter_for(each.isoformat(), each.isoformat())).since is not None
            and filters.since <= key <= f"{filters.until}\U0010ffff"
        ]
    assert matching_days == [day]
