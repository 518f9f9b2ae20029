"""A sealed week."""

from __future__ import annotations

import pytest

from tests.audit.sealing import a_week, night, verify


@pytest.fixture
def week(table: str) -> None:
    """A sealed week, in which nobody has tampered yet."""
    a_week()
    night()
    assert verify()[0] == []
