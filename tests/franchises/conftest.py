"""A business with a branch, and its owner's browser."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from franchises.items import Branch
from tests.conftest import add_business, sign_in
from tests.franchises.stores import BUSINESS, a_branch, a_franchise


@pytest.fixture
def as_owner(people_by_role: Any) -> Client:
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    return sign_in(people_by_role["owner"])


@pytest.fixture
def branch(as_owner: Client) -> Branch:
    """A branch of the business, which has stores."""
    a_franchise()
    return a_branch()
