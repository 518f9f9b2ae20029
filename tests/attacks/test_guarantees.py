"""docs/security.md names every module of this package, and every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

BASE = Path(__file__).resolve().parents[2]
TESTS = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (BASE / "docs" / "security.md").read_text())
NAMED = {module for module, _test in TESTS}


def test_every_named_test_exists() -> None:
    missing = [name for module, name in TESTS if f"\ndef {name}(" not in (BASE / module).read_text()]
    assert missing == []


def test_every_attack_is_listed() -> None:
    modules = {str(path.relative_to(BASE)) for path in Path(__file__).parent.glob("test_*.py")}
    assert sorted(modules - NAMED - {"tests/attacks/test_guarantees.py"}) == []
