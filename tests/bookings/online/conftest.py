"""Mail is set up, and the clock stands still."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail

from tests.bookings.online.visitor import Visitor
from tests.mail.letters import Clock


@pytest.fixture(autouse=True)
def mail_is_configured(settings: Any) -> None:
    settings.MAIL_IS_CONFIGURED = True
    mail.outbox = []


@pytest.fixture
def clock(table: str) -> Iterator[Clock]:
    with Clock() as running:
        # In the middle of an hour: limits for an hour begin anew with each.
        running.set(running.moment.replace(minute=30, second=0, microsecond=0))
        yield running


@pytest.fixture
def visitor(clock: Clock) -> Visitor:
    return Visitor(clock)
