"""A business that can be booked, and a receiver on the internet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.attacks.outside_host import OutsideHost
from tests.mail.letters import Clock, open_mail_business
from tests.webhooks.factories import receiver


@pytest.fixture
def clock(people_by_role: Any) -> Iterator[Clock]:
    open_mail_business()
    with Clock() as running:
        yield running


@pytest.fixture
def host(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[OutsideHost]:
    with receiver(monkeypatch) as found:
        yield found
