"""Write docs/access-patterns.md, and a page for each app, from the registry."""

import importlib
import pkgutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand

from dashboard.table.registry import PATTERNS, AccessPattern

INDEX = "access-patterns.md"
FOLDER = "access-patterns"
TABLE = "| question | function | index | key condition |\n|---|---|---|---|\n"


def load_queries() -> None:
    """Import the queries of every app, so that the registry is complete."""
    for config in apps.get_app_configs():
        if Path(config.path).is_relative_to(settings.BASE_DIR) and ".venv" not in config.path:
            for module in pkgutil.walk_packages([config.path], f"{config.name}."):
                if "queries" in module.name.split("."):
                    importlib.import_module(module.name)


def render_pages() -> dict[str, str]:
    """The text of each page, by its path below docs/."""
    by_package: dict[str, list[AccessPattern]] = defaultdict(list)
    for pattern in PATTERNS.values():
        by_package[_package(pattern)].append(pattern)
    packages = sorted(by_package.items())
    pages = {_path(package): _render_page(package, patterns) for package, patterns in packages}
    return pages | {INDEX: _render_index({package: len(patterns) for package, patterns in packages})}


def _package(pattern: AccessPattern) -> str:
    """The package of a query: `forum`, `dashboard.table`, `dashboard.platform.jobs`."""
    names = pattern.function.split(".")
    depth = 1 if names[0] != "dashboard" else 3 if names[1] == "platform" else 2
    return ".".join(names[:depth])


def _path(package: str) -> str:
    return f"{FOLDER}/{package.removeprefix('dashboard.').replace('.', '-')}.md"


def _render_index(counts: dict[str, int]) -> str:
    rows = "".join(f"| [{package}]({_path(package)}) | {count} |\n" for package, count in counts.items())
    return (
        "# Access patterns\n\n"
        "Every question that the product asks the table, with the one function that asks it. A function is\n"
        "registered with `@access_pattern` (`dashboard/table/registry.py`). `manage.py access_patterns` writes these\n"
        "pages; a test compares them with the registry and the code.\n\n"
        f"| asked by | questions |\n|---|---|\n{rows}\n"
        "In a key condition, `PK` / `SK` is one item; `PK`, by `SK` is a partition that is queried in the order of\n"
        "`SK`. The column *index* is `table` where no index is used.\n"
    )


def _render_page(package: str, patterns: list[AccessPattern]) -> str:
    def row(pattern: AccessPattern) -> str:
        function = pattern.function.removeprefix(f"{package}.")
        return f"| {pattern.question} | `{function}` | {pattern.index} | {pattern.condition} |\n"

    rows = "".join(row(each) for each in sorted(patterns, key=lambda each: each.function))
    return f"# Access patterns of {package}\n\nGenerated: see [access patterns](../{INDEX}).\n\n{TABLE}{rows}"


class Command(BaseCommand):
    help = "Write docs/access-patterns.md, and a page for each app, from the registry."

    def handle(self, *args: Any, **options: Any) -> None:
        load_queries()
        docs = Path(settings.BASE_DIR, "docs")
        (docs / FOLDER).mkdir(exist_ok=True)
        pages = render_pages()
        for path, text in pages.items():
            (docs / path).write_text(text)
        for page in (docs / FOLDER).glob("*.md"):
            if f"{FOLDER}/{page.name}" not in pages:
                page.unlink()
