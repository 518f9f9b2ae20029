"""The recipes that CONTRIBUTING.md links work: each is applied to a copy of the project, and its test passes there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project_copy import ROOT, copy_project, run_tests

# How many files a recipe may touch besides tests and translations.
MAX_FILES = {"field": 3, "list-page": 8, "action": 2}
RECIPES = ROOT / "docs" / "recipes"
_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A new file, or a change of an existing one."""

    path: str
    text: str
    is_diff: bool

    def apply(self, project: Path) -> None:
        path = project / self.path
        if not self.is_diff:
            assert not path.exists(), f"{self.path} exists already"
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".py":
                (path.parent / "__init__.py").touch()
            path.write_text(self.text)
            return
        for hunk in self.text.split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if not line.startswith("+"))
            new = "".join(line[1:] for line in lines if not line.startswith("-"))
            assert path.read_text().count(old) == 1, f"{self.path} does not have this text exactly once:\n{old}"
            path.write_text(path.read_text().replace(old, new))


def steps_of(recipe: str) -> list[Step]:
    text = (RECIPES / f"{recipe}.md").read_text()
    return [Step(path, body, language == "diff") for language, path, body in _BLOCK.findall(text)]


def test_contributing_links_every_recipe() -> None:
    assert {path.stem for path in RECIPES.glob("*.md")} == set(MAX_FILES)
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    assert all(f"(docs/recipes/{name}.md)" in contributing for name in MAX_FILES)


@pytest.mark.parametrize("recipe", MAX_FILES)
def test_the_recipe_can_be_applied_and_its_test_passes(recipe: str, tmp_path: Path) -> None:
    steps = steps_of(recipe)
    tests = [step.path for step in steps if step.path.startswith("tests/") and step.path.endswith(".py")]
    product = {step.path for step in steps if not step.path.startswith(("tests/", "locale/"))}
    assert tests and 0 < len(product) <= MAX_FILES[recipe]
    project = copy_project(tmp_path)
    for step in steps:
        step.apply(project)
    ran = run_tests(project, *tests)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
