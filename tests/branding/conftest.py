"""Fixtures for the branding tests: an owner, and an empty folder for files."""

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
    """An empty folder where files are stored during one test."""
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": FOLDER, "OPTIONS": {"location": tmp_path}}}
    assert default_storage.path("x") == str(tmp_path / "x")
    return tmp_path
