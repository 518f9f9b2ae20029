"""The demo's activity, and simulated traffic that moves the live page."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command

from activity import room_states
from activity.demo import seed_demo
from activity.queries import hour_counts, now_counts
from dashboard.core.clock import now
from dashboard.platform.accounts import demo as accounts_demo
from rooms import demo as rooms_demo

pytestmark = pytest.mark.usefixtures("log_tables")


def test_the_demo_has_days_of_activity_and_is_not_added_twice(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_states, "_read", ("", 0.0, {}))
    assert seed_demo(1) == "0 events"
    accounts_demo.seed_demo(1)
    rooms_demo.seed_demo(1)
    assert int(seed_demo(1).split()[0]) > 500
    yesterday = sum(hour.events for hour in hour_counts(now() - timedelta(days=2), now() - timedelta(days=1)))
    counts = now_counts()
    assert yesterday > 100 and counts.events > 20 and counts.by_room["sala1"] > 0
    assert seed_demo(1).split()[0] == "0" or counts.events < 50


def test_simulated_people_visit_rooms(table: str) -> None:
    rooms_demo.seed_demo(1)
    out = io.StringIO()
    call_command("simulate", stdout=out, table=settings.DYNAMODB_TABLE, rate=10, seconds=1, people=3, seed=1)
    assert "in rooms" in out.getvalue()
    assert now_counts().events >= 3
