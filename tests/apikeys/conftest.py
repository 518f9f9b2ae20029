from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.core.ids import new_id
from tests.conftest import add_business
from tests.ui.world import World, world

__all__ = ["world"]


@pytest.fixture
def businesses(table: str) -> Iterator[None]:
    """Two businesses. The clock is frozen in the first second of a minute."""
    with frozen(datetime(2026, 3, 2, 10, 0, tzinfo=UTC)):
        add_business("andina", "Coca-Cola Andina", "olivia@example.com")
        add_business("harbour", "Harbour Coffee", "nuria@example.com")
        yield


@pytest.fixture
def business(world: World) -> str:
    """The id of a new business of Olivia's that no other test uses."""
    business_id = f"shop-{new_id()[-8:]}"
    add_business(business_id, "Shop", "olivia@example.com")
    return business_id


@pytest.fixture
def olivia(world: World) -> Client:
    return world.browser("owner")
