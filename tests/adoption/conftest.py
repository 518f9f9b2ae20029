from collections.abc import Iterator

import pytest

from dashboard.platform.adoption.unknown_ids import forget_recorded
from tests.ui.world import world

__all__ = ["world"]


@pytest.fixture(autouse=True)
def _read_again() -> Iterator[None]:
    """What a test has recorded is not remembered in the next one, whose table is another."""
    forget_recorded()
    yield
    forget_recorded()
