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
    page = "".join(document.read_text() for document in (ROOT / "docs").glob("*defects.md"))
    assert len(DEFECTS) >= 20
    assert [
        each.what for each in DEFECTS if f"| {each.what} | `{each.test.removeprefix('tests/attacks/')}` |" not in page
    ] == []
