"""The list of deliberate defects stays true while the code changes."""

from __future__ import annotations

import pytest

from tests.defects import DEFECTS, Defect
from tests.project_copy import ROOT


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.what)
def test_a_defect_can_be_put_in_and_names_its_test(defect: Defect) -> None:
    path = ROOT / defect.path
    assert path.is_file()
    assert defect.old in path.read_text()
    file, _, name = defect.test.partition("::")
    assert (ROOT / file).exists()
    assert not name or f"def {name}(" in (ROOT / file).read_text()


def test_there_are_twenty_and_the_page_lists_them() -> None:
    page = (ROOT / "docs" / "testing.md").read_text()
    assert len(DEFECTS) >= 20
    assert [each.what for each in DEFECTS if f"| {each.what} | `{each.test}` |" not in page] == []
