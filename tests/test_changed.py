"""`--changed` chooses the tests that a change can affect."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import changed
from tests.changed import affected_tests


@pytest.mark.parametrize(
    ("path", "chosen", "not_chosen"),
    [
        ("bookings/slots.py", ["tests.bookings.test_slots", "tests.ui.test_pages"], ["tests.forum.test_matcher"]),
        (
            "forum/profanity/normalization.py",
            ["tests.forum.test_normalization", "tests.browser.test_profanity_filter"],
            ["tests.due.test_run_due"],
        ),
        # Found by its name, not imported.
        (
            "rooms/audit_labels.py",
            ["tests.rooms.test_rooms", "tests.ui.test_no_javascript"],
            ["tests.forum.test_matcher"],
        ),
        # Named in settings, not imported.
        ("dashboard/web/headers.py", ["tests.forum.test_desk", "tests.table.test_keys"], []),
        ("tests/forum/factories.py", ["tests.forum.test_decisions"], ["tests.bookings.test_slots"]),
        ("tests/bookings/conftest.py", ["tests.bookings.test_week"], ["tests.forum.test_desk"]),
        ("tests/rooms/test_vimeo.py", ["tests.rooms.test_vimeo"], ["tests.rooms.test_rooms"]),
        ("templates/forum/post.html", ["tests.forum.test_desk", "tests.ui.test_pages"], ["tests.table.test_keys"]),
        (
            "static/css/tabs.css",
            ["tests.browser.test_shell", "tests.ui.test_theme_contrast"],
            ["tests.forum.test_desk"],
        ),
        ("docs/access-patterns.md", ["tests.table.test_registry"], ["tests.forum.test_desk", "tests.ui.test_pages"]),
        ("docs/access-patterns/forum.md", ["tests.table.test_registry"], ["tests.forum.test_desk"]),
        ("docs/rooms.md", ["tests.test_docs"], ["tests.rooms.test_rooms", "tests.ui.test_pages"]),
    ],
)
def test_a_change_chooses_the_tests_that_depend_on_it(path: str, chosen: list[str], not_chosen: list[str]) -> None:
    found = affected_tests([path])
    assert found is not None
    assert set(chosen) <= found
    assert not set(not_chosen) & found


@pytest.mark.parametrize(
    "path",
    ["pyproject.toml", "requirements/dev.txt", "templates/base.html", "templates/ui/field.html", "forum/no_more.py"],
)
def test_a_file_with_unknown_effect_chooses_all_tests(path: str) -> None:
    assert affected_tests([path, "tests/rooms/test_vimeo.py"]) is None


def test_no_changed_files_choose_no_tests() -> None:
    assert affected_tests([]) == set()


def test_changed_and_new_files_are_found_by_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]
    (tmp_path / "old.py").write_text("1")
    (tmp_path / "same.py").write_text("1")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    (tmp_path / "old.py").write_text("2")
    (tmp_path / "new.py").write_text("1")
    assert changed.changed_files("HEAD") == ["new.py", "old.py"]


class CollectedItem:
    """A collected test of a file."""

    def __init__(self, path: str) -> None:
        self.path = changed.ROOT / path


def test_other_tests_are_deselected(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    items: list[Any] = [CollectedItem("tests/rooms/test_vimeo.py"), CollectedItem("tests/rooms/test_rooms.py")]
    monkeypatch.setattr(changed, "changed_files", lambda base: ["tests/rooms/test_vimeo.py"])
    monkeypatch.setattr(pytestconfig.option, "changed", "HEAD")
    changed.pytest_collection_modifyitems(pytestconfig, items)
    assert [item.path.name for item in items] == ["test_vimeo.py"]
