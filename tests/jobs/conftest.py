"""Each test starts with no attempts."""

from collections.abc import Iterator

import pytest

from tests.jobs import count_job
from tests.ui.world import world as world


@pytest.fixture(autouse=True)
def reset_attempts() -> Iterator[None]:
    """Also before the test: other test files run jobs of this kind."""
    clear_attempts()
    yield
    clear_attempts()


def clear_attempts() -> None:
    count_job.tried.clear()
    count_job.before.clear()
    count_job.after.clear()
    count_job.resolved.clear()
