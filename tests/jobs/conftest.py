"""Each test begins with nothing tried."""

from collections.abc import Iterator

import pytest

from tests.jobs import counting
from tests.ui.world import world as world


@pytest.fixture(autouse=True)
def nothing_tried() -> Iterator[None]:
    """Before it, too: the walks of other files have work of this kind."""
    forget()
    yield
    forget()


def forget() -> None:
    counting.tried.clear()
    counting.before.clear()
    counting.after.clear()
    counting.mended.clear()
