"""Each test starts with no attempts."""

from collections.abc import Iterator

import pytest

from tests.jobs import count_job
from tests.ui.world import world as world


@pytest.fixture(autouse=True)
def nothing_tried() -> Iterator[None]:
    """Before the test too: the walks of other files run jobs of this kind."""
    forget()
    yield
    forget()


def forget() -> None:
    count_job.tried.clear()
    count_job.before.clear()
    count_job.after.clear()
    count_job.resolved.clear()
