"""A class name is used once in the product, so that a name in a file needs no look at its imports."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.project_copy import ROOT

# Names that denote the same concept wherever they are defined, with the reason.
SHARED_NAMES = {
    "Permission": "the permissions of an app, which the app declares in its permissions.py",
}
# Django names the class of each management command `Command`.
COMMANDS = "management/commands"


def definitions() -> dict[str, list[str]]:
    """The files that define a class, by the name of the class."""
    found = defaultdict(list)
    for file in sorted(ROOT.glob("*/**/*.py")):
        name = file.relative_to(ROOT).as_posix()
        if name.startswith((".", "tests/")):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and not (node.name == "Command" and COMMANDS in name):
                found[node.name].append(name)
    return found


def test_a_class_name_is_used_once() -> None:
    repeated = {name: files for name, files in definitions().items() if len(files) > 1}
    assert {name: files for name, files in repeated.items() if name not in SHARED_NAMES} == {}
    assert set(SHARED_NAMES) <= set(repeated), "a shared name that is no longer shared"
