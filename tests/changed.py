"""`make test ARGS=--changed`: run only the tests that a change can affect.

A test file is chosen if it imports a changed module, directly or through others. Some dependencies are not imports, and
are added here: what settings name, what `conftest.py` provides, the app whose folder the tests mirror, and, for tests
that walk through all pages, every app. A file whose effect is unknown chooses all tests. CI runs all tests anyway.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("dashboard", "branding", "forum", "rooms", "bookings", "content", "franchises", "activity")
# The packages that test styles and scripts.
PAGES = ("tests.ui.", "tests.browser.")


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "run the tests that the changes since a commit can affect (default: what is not committed)"
    parser.addoption("--changed", nargs="?", const="HEAD", metavar="COMMIT", help=text)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    base = config.getoption("--changed")
    if base is None:
        return
    chosen = affected_tests(changed_files(base))
    if chosen is None:
        return
    selected: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        (selected if module_of(item.path.relative_to(ROOT).as_posix()) in chosen else deselected).append(item)
    config.hook.pytest_deselected(items=deselected)
    items[:] = selected


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """If a change affects no test, the run succeeds."""
    if session.config.getoption("--changed") is not None and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def changed_files(base: str) -> list[str]:
    """Paths that differ from a commit, new files included."""
    found = _git("diff", "--name-only", "--no-renames", base) + _git("ls-files", "--others", "--exclude-standard")
    return sorted(set(found))


def _git(*arguments: str) -> list[str]:
    ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def affected_tests(paths: Iterable[str]) -> set[str] | None:
    """The test modules that a change of these files can affect; None means all of them."""
    graph = dependencies()
    found: set[str] = set()
    for path in paths:
        touched = touched_modules(path, graph)
        if touched is None:
            return None
        for module in touched:
            found |= {module} | graph.find_downstream_modules(module)
    return {module for module in found if module.startswith("tests.")}


def touched_modules(path: str, graph: grimp.ImportGraph) -> set[str] | None:
    """The modules that behave differently when this file changes; None if they are unknown."""
    if path.endswith(".py"):
        module = module_of(path)
        # It is not known which modules imported a deleted module.
        return {module} if module in graph.modules else None
    if path.startswith("docs/") or (path.endswith(".md") and "/" not in path):
        # Tests name the folder docs/access-patterns/, not its pages.
        name = "access-patterns.md" if path.startswith("docs/access-patterns/") else Path(path).name
        readers = {module for module in graph.modules if is_test(module) and name in source_of(module)}
        return readers | {"tests.test_docs"} if path.endswith(".md") else readers
    if path.startswith("static/"):
        return {module for module in graph.modules if is_test(module) and module.startswith(PAGES)}
    folder = path.split("/")
    # The components of `templates/ui/` are on every page.
    if folder[0] == "templates" and len(folder) > 2 and folder[1] != "ui":
        packages = packages_named(folder[1], graph)
        return {module for module in graph.modules if module.startswith(packages)} if packages else None
    return None


@cache
def dependencies() -> grimp.ImportGraph:
    """The graph of imports, with the dependencies that are not imports."""
    graph = grimp.build_graph(*APPS, "tests", cache_dir=None)
    for name in named_in_settings(graph):
        graph.add_import(importer="dashboard.settings", imported=name)
    graph.add_import(importer="tests.conftest", imported="tests.settings")
    for plugin in ("no_skips", "engines", "strict_templates"):
        graph.add_import(importer="tests.conftest", imported=f"tests.{plugin}")
    for module in sorted(graph.modules):
        if module.startswith("tests.") and is_test(module):
            provided = {"tests.conftest", f"{module.rpartition('.')[0]}.conftest"} & graph.modules
            all_apps = {each for each in graph.modules if each.startswith(APPS)} if may_use_all_pages(module) else set()
            for each in provided | app_modules_for(module, graph) | all_apps:
                graph.add_import(importer=module, imported=each)
    return graph


def app_modules_for(module: str, graph: grimp.ImportGraph) -> set[str]:
    """The modules of the app that this test belongs to: it may request any page of the app."""
    packages = packages_named(module.split(".")[1], graph)
    return {each for each in graph.modules if packages and each.startswith(packages)}


def packages_named(folder: str, graph: grimp.ImportGraph) -> tuple[str, ...]:
    """The packages that a folder of tests or templates belongs to, each with a dot at the end."""
    names = [folder, f"dashboard.{folder}", f"dashboard.platform.{folder}"]
    if folder == "ui":
        names = ["dashboard.web", "dashboard.shell"]
    return tuple(f"{name}." for name in names if name in graph.modules)


def may_use_all_pages(module: str) -> bool:
    """Whether a test uses a browser or the `world` fixture, which has all pages."""
    return module.startswith("tests.browser.") or "world: World" in source_of(module)


def named_in_settings(graph: grimp.ImportGraph) -> set[str]:
    """Middleware, apps and other modules that the settings name in strings."""
    tree = ast.parse((ROOT / "dashboard" / "settings.py").read_text())
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    names = {name for text in texts for name in (text, text.rpartition(".")[0], f"{text}.apps")}
    return names & graph.modules - {"dashboard", "dashboard.settings", "dashboard.urls"}


def is_test(module: str) -> bool:
    return module.rpartition(".")[2].startswith("test_")


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def source_of(module: str) -> str:
    path = ROOT / module.replace(".", "/")
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text()
