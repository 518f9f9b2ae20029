"""The list of deliberate defects matches the code and the documentation."""

from __future__ import annotations

import pytest

from tests.defect import Defect
from tests.defects import DEFECTS
from tests.project_copy import ROOT


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.what)
def test_the_text_to_replace_and_the_test_of_a_defect_exist(defect: Defect) -> None:
    path = ROOT / defect.path
    assert path.is_file()
    assert defect.old in path.read_text()
    file, _, name = defect.test.partition("::")
    assert (ROOT / file).exists()
    assert not name or f"def {name}(" in (ROOT / file).read_text()


def test_the_documentation_lists_every_defect() -> None:
    page = "".join(path.read_text() for path in (ROOT / "docs").glob("*defects.md"))
    assert len(DEFECTS) >= 20
    assert [
        each.what for each in DEFECTS if f"| {each.what} | `{each.test.removeprefix('tests/attacks/')}` |" not in page
    ] == []


def test_every_attack_would_fail_without_the_protection_that_it_examines() -> None:
    """Each module has at least one defect that it has to find."""
    examined = {each.test.partition("::")[0] for each in DEFECTS}
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "attacks").glob("test_*.py")}
    assert sorted(modules - examined - {"tests/attacks/test_guarantees.py"}) == []
