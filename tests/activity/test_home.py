"""The line of the home page: activity has stopped while rooms are open."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from activity.services import log
from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.permissions import Role
from tests.activity.event_days import ANA, create_rooms, event
from tests.conftest import add_person, sign_in
from tests.rooms.rooms import create_room
from tests.ui.html import parse
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("log_tables")


@pytest.fixture
def as_staff(table: str) -> Client:
    return sign_in(add_person("staff@example.com", Role.STAFF))


def has_line(browser: Client) -> bool:
    return "Activity has stopped" in parse(browser.get("/")).text


def test_staff_are_told_that_activity_has_stopped(as_staff: Client) -> None:
    create_rooms()
    log([event(ANA, now())])
    assert not has_line(as_staff)
    with frozen(now() + timedelta(minutes=12)):
        response = as_staff.get("/")
        assert "Activity has stopped" in parse(response).text
        assert calls_of(response).trips == 2
    with frozen(now() + timedelta(minutes=75)):
        assert not has_line(as_staff), "an event that logs nothing at all needs no line every night"


def test_nothing_is_said_while_all_rooms_are_closed(as_staff: Client) -> None:
    create_room("sala1", now() + timedelta(days=1))
    log([event(ANA, now())])
    with frozen(now() + timedelta(minutes=12)):
        assert not has_line(as_staff)
