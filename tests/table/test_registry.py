"""The registry, the code and the pages of docs/access-patterns.md have the same access patterns."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from dashboard.table import keys, oplog, registry, schema
from dashboard.table.management.commands.access_patterns import load_queries, render_pages
from dashboard.table.registry import AccessPattern, access_pattern
from tests.table.notes import NOTE, SHELF
from tests.table.source_trees import dotted, modules, name_of
from tests.ui.walk import calls_of
from tests.ui.world import World
from tests.ui.world import world as world

# The functions that read the table. `gather` only calls other functions, and writes use transactions.
READS = {f"read.{name}" for name in ("get", "get_many", "page", "raw_page", "count")}
READS |= {"table", "connection.table", "client", "connection.client"}
# These reads happen when a file is sent or a password is refused; the walk through the pages does neither.
USED_BY_FORMS = {
    "dashboard.platform.accounts.queries.people_with",
    "dashboard.platform.accounts.queries.find_counter",
    "dashboard.platform.businesses.queries.all_businesses_of",
    "dashboard.platform.businesses.queries.find_remaining_owner",
}
# The only writes of pages: an export is recorded in the security log, and the view of an item in the audit trail.
RECORDED = {
    "bookings.online.limits.count_page",
    "dashboard.platform.security_log.services.record_event",
    "dashboard.platform.table_health.services.record_view",
}
DOCS = Path(settings.BASE_DIR, "docs")


@pytest.fixture(scope="module")
def patterns() -> dict[str, AccessPattern]:
    """All access patterns of the product."""
    load_queries()
    importlib.import_module(settings.ROOT_URLCONF)
    return dict(registry.PATTERNS)


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module) -> Iterator[Function]:
    yield from (node for node in ast.walk(tree) if isinstance(node, Function))


def reads_table(function: Function, tree: ast.Module) -> bool:
    """Whether a function reads the table itself, under any imported name."""
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    direct = {
        alias.asname or alias.name
        for node in imported
        if node.module == "dashboard.table.read"
        for alias in node.names
        if f"read.{alias.name}" in READS
    }
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(dotted(call.func) in READS | direct for call in calls)


def is_registered(function: Function) -> bool:
    calls = [each for each in function.decorator_list if isinstance(each, ast.Call)]
    return any(dotted(call.func).endswith("access_pattern") for call in calls)


def is_offline(at: Path) -> bool:
    """Commands, the stream follower and demo data, which no request uses."""
    if at.is_relative_to("dashboard/platform/stream") and at.name != "queries.py":
        return True
    return "demo" in (at.stem, at.parent.name) or "management" in at.parts or at.is_relative_to("dashboard/dev")


def test_every_function_that_reads_the_table_is_registered() -> None:
    """Also functions outside of `queries.py`."""
    found = []
    for at, tree in modules():
        if (at.is_relative_to("dashboard/table") and at.name != "queries.py") or is_offline(at):
            continue
        found += [f"{at}: {f.name}" for f in functions(tree) if reads_table(f, tree) and not is_registered(f)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "def find(email):\n    return read.get(Person, keys.PERSON.key(email=email))",
        "from dashboard.table.read import page as leaf\ndef find(email):\n    return leaf(keys.PERSON.collection())",
        "def find(email):\n    return table().query(email)",
    ],
)
def test_the_check_finds_a_read_that_is_not_registered(text: str) -> None:
    tree = ast.parse(text)
    (unregistered,) = functions(tree)
    assert reads_table(unregistered, tree)
    assert not is_registered(unregistered)


def test_registered_reads_are_in_queries_modules() -> None:
    found = {name_of(at) for at, tree in modules() for f in functions(tree) if is_registered(f)}
    assert found
    assert {name for name in found if "queries" not in name.split(".")} == set()


def test_the_code_and_the_registry_have_the_same_functions(patterns: dict[str, AccessPattern]) -> None:
    written = {f"{name_of(at)}.{f.name}" for at, tree in modules() for f in functions(tree) if is_registered(f)}
    assert patterns.keys() == written


def test_every_registered_function_is_used(patterns: dict[str, AccessPattern]) -> None:
    """An index that nothing reads costs money with every write."""
    used: set[str] = set()
    for _, tree in modules():
        used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert [name for name in patterns if name.rpartition(".")[2] not in used] == []


def test_every_access_pattern_has_a_question_an_index_and_a_condition(patterns: dict[str, AccessPattern]) -> None:
    assert len(patterns) >= 7
    for name, pattern in patterns.items():
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function))
        assert pattern.question.endswith("?")
        assert set(pattern.index.split(", ")) <= {"table", *schema.BY_NAME}
        assert any(mark in pattern.condition for mark in ("<", "SYSTEM", "ACCOUNTS", "CONFIG#security", "/ `PEOPLE`"))
    questions = [pattern.question for pattern in patterns.values()]
    assert len(questions) == len(set(questions))


def test_every_read_of_every_page_is_registered_with_its_index(
    world: World, patterns: dict[str, AccessPattern]
) -> None:
    used_patterns = set()
    for who in ("admin", "owner", "anonymous"):
        for url, answer in world.pages(who).items():
            for call in calls_of(answer).calls:
                if call.pattern in RECORDED:
                    continue
                assert call.pattern in patterns, f"{url}: {call.operation} without a pattern"
                assert (call.index or "table") in patterns[call.pattern].index.split(", "), f"{url}: {call}"
                used_patterns.add(call.pattern)
    expected = {name for name in patterns if name.startswith("dashboard.platform.accounts")} - USED_BY_FORMS
    assert expected <= used_patterns, "the walk through the pages uses all of them"


def written_pages(docs: Path) -> dict[str, str]:
    paths = [docs / "access-patterns.md", *(docs / "access-patterns").glob("*.md")]
    return {path.relative_to(docs).as_posix(): path.read_text() for path in paths}


def test_the_documentation_has_the_patterns_of_the_registry(patterns: dict[str, AccessPattern]) -> None:
    """`manage.py access_patterns` writes it."""
    pages = written_pages(DOCS)
    assert pages == render_pages()
    lines = [line for page in pages.values() for line in page.splitlines()]
    rows = [line for line in lines if line.startswith("| ") and "queries." in line]
    assert len(rows) == len(patterns)


def test_the_command_writes_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs" / "access-patterns").mkdir(parents=True)
    (tmp_path / "docs" / "access-patterns" / "an_app_that_is_gone.md").write_text("")
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    call_command("access_patterns")
    assert written_pages(tmp_path / "docs") == render_pages()


def test_the_text_of_a_pattern_in_the_documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PATTERNS", {})

    @access_pattern("Which note is this?", NOTE)
    def one() -> None: ...

    @access_pattern("Which pages has it?", NOTE, partition=True)
    def many() -> None: ...

    @access_pattern("What is on this shelf, or in this account?", SHELF, keys.PERSON)
    def shelf() -> None: ...

    found = {name.rpartition(".")[2]: (p.index, p.condition) for name, p in registry.PATTERNS.items()}
    assert found == {
        "one": ("table", "`NOTE#<note>` / `NOTE#<page>`"),
        "many": ("table", "`NOTE#<note>`, by `NOTE#<page>`"),
        "shelf": ("GSI_Status, table", "`SHELF#<shelf>`, by `<title>` or `USER#<email>` / `PROFILE`"),
    }


def test_the_current_pattern_is_set_during_a_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PATTERNS", {})

    @access_pattern("Who?", NOTE)
    def inner() -> str:
        return oplog.current_pattern.get()

    @access_pattern("Who else?", NOTE)
    def outer() -> tuple[str, str, str]:
        return oplog.current_pattern.get(), inner(), oplog.current_pattern.get()

    @access_pattern("Why?", NOTE)
    def fails() -> None:
        raise LookupError

    before, within, after = outer()
    assert (before.endswith("outer"), within.endswith("inner"), after) == (True, True, before)
    with pytest.raises(LookupError):
        fails()
    assert oplog.current_pattern.get() == ""
