"""An archive in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from activity.archive.storage import Folder, Storage


@pytest.fixture
def archive(table: str, tmp_path: Path, settings: Any) -> Storage:
    """An empty archive in a folder, on an empty table."""
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    return Folder(tmp_path / "archive")
