"""The browser of the owner of a business."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.conftest import add_business, sign_in
from tests.content.site import BUSINESS


@pytest.fixture
def as_owner(people_by_role: Any) -> Client:
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    return sign_in(people_by_role["owner"])
