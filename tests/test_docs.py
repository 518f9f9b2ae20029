"""The documents are short, linked from their index, and name only existing files and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

import forum.export
import rooms.attendees_export
from dashboard.platform.audit import export as audit_export
from dashboard.platform.due.registry import HANDLERS
from tests.project_copy import ROOT

DOCS = ROOT / "docs"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md")])
# Two screens.
MAX_LINES = 100
# Does not apply to rows of tables and lines with links, which cannot be wrapped.
MAX_LENGTH = 120


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


@pytest.fixture(params=DOCUMENTS, ids=name_of)
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def prose(text: str) -> str:
    """The text without its code blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)


def test_a_document_is_shorter_than_two_screens(document: Path) -> None:
    lines = prose(document.read_text()).splitlines()
    if document.name != "CHANGELOG.md":
        assert len(lines) <= MAX_LINES
    long = [line for line in lines if len(line) > MAX_LENGTH]
    assert [line for line in long if not line.startswith("|") and "](" not in line] == []


def test_every_link_has_an_existing_target(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", prose(document.read_text()))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (document.parent / target).exists()] == []


def test_every_named_file_exists(document: Path) -> None:
    """Such as `forum/impact.py`, from the root of the repository."""
    named = re.findall(r"`((?:[a-z_]+/)+[\w.-]+\.(?:py|html|css|js|txt|md))`", document.read_text())
    roots = (ROOT, ROOT / "templates", ROOT / "static", ROOT / "dashboard/platform/configs")
    assert [path for path in named if not any((root / path).exists() for root in roots)] == []


def test_every_named_command_exists(document: Path) -> None:
    assert set(re.findall(r"manage\.py ([a-z_]+)", document.read_text())) <= get_commands().keys() | {"check"}


def test_the_index_lists_every_document() -> None:
    text = (DOCS / "README.md").read_text()
    listed = {(DOCS / target).resolve() for target in re.findall(r"\]\(([^)]+\.md)\)", text)}
    assert set(DOCS.glob("*.md")) - {DOCS / "README.md"} <= listed


@pytest.mark.parametrize(
    ("path", "columns"),
    [
        ("audit.md", audit_export.COLUMNS),
        ("moderation-log.md", forum.export.COLUMNS),
        ("attendees.md", rooms.attendees_export.COLUMNS),
    ],
)
def test_the_columns_of_an_export_are_documented_in_their_order(path: str, columns: tuple[str, ...]) -> None:
    table = (DOCS / path).read_text().partition("| column |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert tuple(name for cell in cells for name in re.findall(r"`(\w+)`", cell)) == columns


def test_every_due_task_is_documented() -> None:
    text = (DOCS / "due-tasks.md").read_text()
    assert set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)) == HANDLERS.keys()


def test_every_environment_variable_of_the_settings_is_documented() -> None:
    settings = (ROOT / "dashboard" / "settings.py").read_text()
    names = set(re.findall(r'(?:required|listed|environ\.get)\(\s*"(\w+)"', settings)) - {"TRASTIENDA_MODE"}
    text = (DOCS / "operating.md").read_text()
    cells = re.findall(r"^\| (`[A-Z_`, ]+`) \|", text, re.MULTILINE)
    assert names == {name for cell in cells for name in re.findall(r"\w+", cell)}


def test_the_page_for_operators_has_the_examples_of_proxies_and_the_rotation_of_keys() -> None:
    text = (DOCS / "operating.md").read_text()
    assert "```nginx\n" in text and "```caddyfile\n" in text
    rotation = text.partition("## Replacing the keys\n")[2]
    assert all(name in rotation for name in ("SECRET_KEY_FALLBACKS", "API_KEY_PEPPER_FALLBACKS", "verify_audit"))
