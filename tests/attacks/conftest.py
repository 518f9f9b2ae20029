"""The world of the pages, a business with a branch, and the replacement of the keys."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.franchises.conftest import as_owner, branch
from tests.ui.world import world

__all__ = ["as_owner", "branch", "world"]

Rotate = Callable[[], None]


@pytest.fixture
def rotate(settings: Any) -> Rotate:
    """Replaces both secrets, as docs/operating.md says: the current ones become fallbacks."""

    def replace() -> None:
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        settings.API_KEY_PEPPER_FALLBACKS = [settings.API_KEY_PEPPER, *settings.API_KEY_PEPPER_FALLBACKS]
        settings.SECRET_KEY = f"a new key that nobody knows {len(settings.SECRET_KEY_FALLBACKS)}"
        settings.API_KEY_PEPPER = f"a new pepper that nobody knows {len(settings.SECRET_KEY_FALLBACKS)}"

    return replace


@pytest.fixture
def forget_old_keys(settings: Any) -> Rotate:
    def forget() -> None:
        settings.SECRET_KEY_FALLBACKS = []
        settings.API_KEY_PEPPER_FALLBACKS = []

    return forget
