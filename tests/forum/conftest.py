"""Staff and an admin, each in a browser of their own."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.accounts.items import Person
from tests.conftest import sign_in


@pytest.fixture
def as_staff(cast: dict[str, Person]) -> Client:
    return sign_in(cast["staff"])
