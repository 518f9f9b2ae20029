"""Only the handlers that a test registers are used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.core.clock import frozen
from dashboard.platform.due import registry, runner
from tests.due import chores


@pytest.fixture(autouse=True)
def only_chores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    monkeypatch.setitem(registry.HANDLERS, chores.CHORE.kind, chores.do)


@pytest.fixture
def noon() -> Iterator[None]:
    with frozen(chores.NOON):
        yield
