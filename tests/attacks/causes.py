"""What a scenario of the security log did, and a sign-in from a new address."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from dashboard.core.clock import now
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.queries import EventFilter
from tests.conftest import PASSWORD
from tests.ui.walk import new_browser
from tests.ui.world import World

BROWSER = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"}
addresses = (f"10.7.{number // 250}.{number % 250}" for number in itertools.count())


@dataclass
class Cause:
    """What a scenario did: the account of the event, and the texts that no log may contain."""

    account: str
    details: dict[str, str] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)
    # Who did it, if it is not the account itself.
    by: str = ""


Scenario = Callable[[World, pytest.MonkeyPatch], Cause]


def log_in(email: str, password: str = PASSWORD, address: str = "") -> Any:
    sent = {"email": email, "password": password}
    return new_browser().post("/login/", sent, REMOTE_ADDR=address or next(addresses), headers=BROWSER)


def stored(kind: EventKind | str = "") -> list[SecurityEvent]:
    """The events of today, newest first."""
    since = (now() - timedelta(hours=12)).isoformat()[:19]
    return [each for each in queries.events(EventFilter(since=since)).items if not kind or each.kind == kind]
