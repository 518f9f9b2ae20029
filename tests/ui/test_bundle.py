"""The styles of the back office, those of visitors and all scripts are served in one file each; none is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from dashboard.web.bundle import EXPORT, NAMED_IMPORT, SCRIPT, STYLE, bundle_scripts, bundle_styles

ROOT: Path = settings.STATICFILES_DIRS[0]
IMPORTS = {"css/app.css": STYLE, "css/visitors.css": STYLE, "js/app.js": SCRIPT, "js/page-editor.js": SCRIPT}
MIN_PARTS = {"css/app.css": 20, "css/visitors.css": 8, "js/app.js": 20, "js/page-editor.js": 5}


def read_served_file(path: str) -> str:
    location = finders.find(path)
    assert location is not None
    return Path(location).read_text()


def without_imports(text: str) -> str:
    """The text of a module as it is in the bundle."""
    return EXPORT.sub("", NAMED_IMPORT.split(text)[-1])


@pytest.mark.parametrize("path", IMPORTS)
def test_a_bundle_contains_every_part_and_imports_none(path: str) -> None:
    parts = [match["part"] for match in IMPORTS[path].finditer((ROOT / path).read_text())]
    text = read_served_file(path)
    assert len(parts) > MIN_PARTS[path]
    assert "import " not in re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    positions = [text.index(without_imports((ROOT / path).parent.joinpath(part).read_text())) for part in parts]
    assert positions == sorted(positions)


def test_every_file_is_imported_or_linked() -> None:
    templates = "".join(each.read_text() for each in (settings.BASE_DIR / "templates").rglob("*.html"))
    linked = {match["part"] for path, line in IMPORTS.items() for match in line.finditer((ROOT / path).read_text())}
    for module in (ROOT / "js").glob("*.js"):
        linked |= {match["part"] for match in NAMED_IMPORT.finditer(module.read_text())}
    files = {each.name for folder, kind in (("css", "*.css"), ("js", "*.js")) for each in (ROOT / folder).glob(kind)}
    assert {name for name in files if name not in linked and name not in templates} == set()


def test_every_imported_name_is_exported() -> None:
    modules = {module.name: module.read_text() for module in (ROOT / "js").glob("*.js")}
    exports = {name: {match["name"] for match in EXPORT.finditer(text)} for name, text in modules.items()}
    for text in modules.values():
        for line in NAMED_IMPORT.finditer(text):
            assert set(re.findall(r"\w+", line["names"])) <= exports[line["part"]]


def test_a_medium_applies_to_its_stylesheet_and_an_error_to_its_module(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("a {}\n")
    (tmp_path / "b.css").write_text("b {}\n")
    app = tmp_path / "app.css"
    app.write_text('@import "a.css";\n@import "b.css" print;\n')
    assert bundle_styles(app) == "a {}\n\n@media print {\nb {}\n}\n\n"
    (tmp_path / "a.js").write_text("const one = 1;\n")
    app = tmp_path / "app.js"
    app.write_text('import "./a.js";\n')
    block = "try {\nconst one = 1;\n} catch (error) {\n  reportError(error);\n}\n"
    assert bundle_scripts(app) == f"const modules = {{}};\n{block}\n"


def test_an_imported_module_is_bundled_once_and_before_its_importers(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text('import "./a.js";\nimport "./b.js";\n')
    (tmp_path / "a.js").write_text('import { one } from "./shared.js";\none();\n')
    (tmp_path / "b.js").write_text('import {\n  one,\n  two,\n} from "./shared.js";\none(two);\n')
    (tmp_path / "shared.js").write_text("export const two = 2;\nexport function one() {}\n")
    failure = "} catch (error) {\n  reportError(error);\n}\n"
    assert bundle_scripts(tmp_path / "app.js") == (
        "const modules = {};\n"
        f'try {{\nconst two = 2;\nfunction one() {{}}\nmodules["shared.js"] = {{ two, one }};\n{failure}'
        f'try {{\nconst {{ one }} = modules["shared.js"];\none();\n{failure}\n'
        f'try {{\nconst {{\n  one,\n  two,\n}} = modules["shared.js"];\none(two);\n{failure}\n'
    )


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./shared.js";',
        'import { one as two } from "./shared.js";',
        'import * as all from "./shared.js";',
        "export default 1;",
        "export { one };",
        'const all = await import("./shared.js");',
    ],
)
def test_another_form_of_import_or_export_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "app.js").write_text('import "./a.js";\n')
    (tmp_path / "a.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"a\.js: the bundle does not understand"):
        bundle_scripts(tmp_path / "app.js")
