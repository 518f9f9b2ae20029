"""A copy of the project in another folder, for tests that change its code."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_IGNORED = shutil.ignore_patterns(".git", ".venv", ".data", "__pycache__", ".*_cache", ".hypothesis", "images")


def copy_project(folder: Path) -> Path:
    """Copy the working tree into `folder`, without what git ignores and without pictures."""
    return Path(shutil.copytree(ROOT, folder / "project", ignore=_IGNORED))


def run_tests(project: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy of the project. The return code is 0 if they pass and 1 if one fails."""
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:randomly", *tests]
    return subprocess.run(command, cwd=project, capture_output=True, text=True)
