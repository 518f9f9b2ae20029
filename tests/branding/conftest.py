"""What the tests of brands have: an owner, and files of their own, so that none finds what another one left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from tests.audit.conftest import as_owner, businesses
from tests.branding.pictures import FOLDER

__all__ = ["as_owner", "businesses"]


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """An empty folder that files are kept in for the length of a test."""
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": FOLDER, "OPTIONS": {"location": tmp_path}}}
    assert default_storage.path("x") == str(tmp_path / "x")
    return tmp_path
