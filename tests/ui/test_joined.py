"""Every style and script comes in one file each, and none is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from dashboard.web.bundle import SCRIPT, STYLE, WHOLE, joined, script, style

ROOT: Path = settings.STATICFILES_DIRS[0]


def found(path: str) -> str:
    where = finders.find(path)
    assert where is not None
    return Path(where).read_text()


@pytest.mark.parametrize("path", WHOLE)
def test_what_is_served_holds_every_part_and_imports_none(path: str) -> None:
    pattern, _ = WHOLE[path]
    parts = [match["part"] for match in pattern.finditer((ROOT / path).read_text())]
    text = found(path)
    assert len(parts) > 20
    assert "import " not in re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    places = [text.index((ROOT / path).parent.joinpath(part).read_text()) for part in parts]
    assert places == sorted(places)


def test_no_file_is_forgotten() -> None:
    templates = "".join(each.read_text() for each in (settings.BASE_DIR / "templates").rglob("*.html"))
    linked = {
        match["part"] for path, (pattern, _) in WHOLE.items() for match in pattern.finditer((ROOT / path).read_text())
    }
    files = {each.name for folder, kind in (("css", "*.css"), ("js", "*.js")) for each in (ROOT / folder).glob(kind)}
    assert {name for name in files if name not in linked and name not in templates} == set()


def test_a_medium_and_a_failure_stay_with_their_part(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a {}\n")
    (tmp_path / "b.css").write_text("b {}\n")
    whole = tmp_path / "app.css"
    whole.write_text('@import "a.css";\n@import "b.css" print;\n')
    assert joined(whole, STYLE, style) == "a {}\n\n@media print {\nb {}\n}\n\n"
    (tmp_path / "a.js").write_text("const one = 1;\n")
    whole = tmp_path / "app.js"
    whole.write_text('import "./a.js";\n')
    assert joined(whole, SCRIPT, script) == "try {\nconst one = 1;\n} catch (error) {\n  reportError(error);\n}\n\n"
