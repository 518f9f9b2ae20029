"""Mail is set up, and a business can be booked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail

from tests.mail.letters import Clock, open_mail_business


@pytest.fixture(autouse=True)
def mail_is_configured(settings: Any) -> None:
    settings.MAIL_IS_CONFIGURED = True
    settings.DEFAULT_FROM_EMAIL = "Trastienda <noreply@example.com>"
    mail.outbox = []


@pytest.fixture
def clock(people_by_role: Any) -> Iterator[Clock]:
    """A clock that tests set. The business has a customer with an address."""
    open_mail_business()
    with Clock() as running:
        yield running
