"""Two businesses with their owners and an admin; a week that is sealed."""

from __future__ import annotations

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from tests.audit.seal_helpers import seal_night, verify, write_week
from tests.conftest import add_business, add_person, filled_once, sign_in


@pytest.fixture
def businesses(people_by_role: dict[str, Person]) -> dict[str, Person]:
    def fill() -> Person:
        neighbour = add_person("nuria@example.com", Role.OWNER, "Nuria Vidal")
        add_business("andina", "Coca-Cola Andina", "olivia@example.com")
        add_business("harbour", "Harbour Coffee", "nuria@example.com")
        return neighbour

    # Without the other people: each engine has its own, and a session begins only for a person as stored.
    return people_by_role | {"neighbour": filled_once("businesses", fill)}


@pytest.fixture
def as_owner(businesses: dict[str, Person]) -> Client:
    return sign_in(businesses["owner"])


@pytest.fixture
def week(table: str) -> None:
    """A sealed week without tampering."""
    write_week()
    seal_night()
    assert verify()[0] == []
