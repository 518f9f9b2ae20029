"""A day is one of the reader's calendar, also where its clock jumps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as some

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.services import profile
from dashboard.platform.audit.forms import TrailForm
from dashboard.platform.audit.queries import AuditFilter
from dashboard.table import read
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from dashboard.web.ranges import day_start
from tests.audit.entries import listed, put, raw_entry
from tests.conftest import ACTOR, sign_in

# Zone, day, and how many hours it has there.
DAYS = [
    ("UTC", "2025-09-21", 24),
    ("America/Bogota", "2025-09-21", 24),
    ("Europe/Madrid", "2025-03-30", 23),
    ("Europe/Madrid", "2025-10-26", 25),
    # Midnight itself is skipped.
    ("America/Santiago", "2025-09-07", 23),
    # The last hour of the day comes twice.
    ("America/Santiago", "2025-04-05", 25),
    # The first hour of the day comes twice.
    ("America/Havana", "2025-11-02", 25),
    ("Asia/Kathmandu", "2025-09-21", 24),
    ("Australia/Lord_Howe", "2025-10-05", 23.5),
]


def wanted(since: str = "", until: str = "") -> AuditFilter:
    form = TrailForm({"since": since, "until": until})
    assert form.is_valid(), form.errors
    return form.filters


@pytest.mark.parametrize(("zone", "day", "hours"), DAYS)
def test_a_day_is_as_long_as_the_wall_clock_says(zone: str, day: str, hours: float) -> None:
    with timezone.override(ZoneInfo(zone)):
        first = day_start(date.fromisoformat(day))
        after = day_start(date.fromisoformat(day) + timedelta(days=1))
        asked = wanted(day, day)
    assert (after - first) == timedelta(hours=hours)
    assert to_wire(first).startswith(asked.since or "-")
    assert asked.until == to_wire(after - timedelta(seconds=1)).removesuffix("Z")
    assert first.astimezone(ZoneInfo(zone)).date().isoformat() == day
    assert (first - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).date().isoformat() < day


@pytest.mark.parametrize(("zone", "day", "hours"), DAYS)
def test_the_first_and_last_second_of_a_day_are_in_it_and_their_neighbours_are_not(
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
    assert listed(browser, f"/audit/?since={day}&until={day}") == ["last", "first"]
    assert listed(browser, f"/audit/?since={day}&until=2026-01-01") == ["next", "last", "first"]
    assert listed(browser, f"/audit/?until={day}") == ["last", "first", "eve"]


@pytest.fixture(autouse=True)
def utc_again() -> Iterator[None]:
    yield
    timezone.deactivate()


def test_a_day_that_a_calendar_lost_holds_nothing(people_by_role: dict[str, Person]) -> None:
    """Samoa went from the 29th to the 31st: no bound may stand after the other."""
    with timezone.override(ZoneInfo("Pacific/Apia")):
        asked = wanted("2011-12-30", "2011-12-30")
    assert read.is_empty_range(asked.since, asked.until)
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
    assert listed(browser, "/audit/?since=2011-12-30&until=2011-12-30") == []
    assert listed(browser, "/audit/?since=2011-12-31&until=2011-12-31") == ["first"]
    assert listed(browser, "/audit/?since=2011-12-29&until=2011-12-29") == ["last"]


ZONES = ["UTC", "America/Santiago", "America/Havana", "Europe/Madrid", "Asia/Tokyo", "Pacific/Chatham", "Africa/Cairo"]


@given(
    zone=some.sampled_from(ZONES),
    moment=some.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=some.just(UTC)),
)
def test_every_moment_is_in_its_own_day_and_in_no_other(zone: str, moment: datetime) -> None:
    key = to_wire(moment)
    day = moment.astimezone(ZoneInfo(zone)).date()
    with timezone.override(ZoneInfo(zone)):
        found = [
            each
            for each in (day + timedelta(days=n) for n in (-1, 0, 1))
            if (asked := wanted(each.isoformat(), each.isoformat())).since is not None
            and asked.since <= key <= f"{asked.until}\U0010ffff"
        ]
    assert found == [day]
