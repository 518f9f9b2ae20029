"""Every class that a stylesheet names is used, so that a class renamed elsewhere does not lose its style."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project_copy import ROOT

STYLESHEETS = sorted((ROOT / "static/css").glob("*.css"))
# Positions in the calendar: a prefix and a number, which the template joins.
_NUMBERED = re.compile(r"(h|m|dh|dm|lane|of)[0-9]+")
EDITOR_CLASSES = {"ProseMirror-selectednode", "ProseMirror-separator"}
_WORD = re.compile(r"[A-Za-z][\w-]*")


@pytest.fixture(scope="module")
def used_words() -> set[str]:
    """All words of the templates, the scripts and the Python files."""
    files = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/js/*.js")]
    for app in ("dashboard", "branding", "forum", "rooms", "bookings", "content", "franchises", "activity"):
        files += ROOT.glob(f"{app}/**/*.py")
    # The rich text editor sets these itself.
    return {word for file in files for word in _WORD.findall(file.read_text())} | EDITOR_CLASSES


def classes_of(stylesheet: Path) -> set[str]:
    text = re.sub(r"/\*.*?\*/", "", stylesheet.read_text(), flags=re.DOTALL)
    return {name for name in re.findall(r"\.([A-Za-z][\w-]*)", text) if not _NUMBERED.fullmatch(name)}


@pytest.mark.parametrize("stylesheet", STYLESHEETS, ids=lambda path: path.name)
def test_every_class_of_a_stylesheet_is_used(stylesheet: Path, used_words: set[str]) -> None:
    assert classes_of(stylesheet) - used_words == set()
