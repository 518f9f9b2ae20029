"""The syntax trees of the product's code, for tests about what it must not contain."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
# Folders at the top of the checkout that are not part of the product.
OTHER_FOLDERS = {"tests", "docs", "static", "templates", "locale", "requirements"}


@cache
def _parse_modules() -> list[tuple[Path, ast.Module]]:
    packages = [each for each in ROOT.iterdir() if (each / "__init__.py").exists() and each.name not in OTHER_FOLDERS]
    paths = sorted(path for package in packages for path in package.rglob("*.py"))
    return [(path.relative_to(ROOT), ast.parse(path.read_text())) for path in paths]


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of every app, by its path in the checkout."""
    yield from _parse_modules()


def name_of(path: Path) -> str:
    """`dashboard/table/read.py` → `dashboard.table.read`."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def docstrings_of(tree: ast.Module) -> set[ast.AST]:
    """The docstrings, which may mention anything."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    first = [node.body[0] for node in ast.walk(tree) if isinstance(node, owners) and node.body]
    return {each.value for each in first if isinstance(each, ast.Expr)}


def dotted(node: ast.AST) -> str:
    """`a.b.c` as text; empty if a part of it is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""
