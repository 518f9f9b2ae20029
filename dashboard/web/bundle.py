"""Bundles stylesheets and scripts with the files that they import: a first visit loads five files, not ninety.

A browser also understands the files unbundled: app.css imports its parts, and app.js and its modules are ES modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.storage import FileSystemStorage

STYLE = re.compile(r'@import "(?P<part>[\w-]+\.css)"(?: (?P<media>\w+))?;')
SCRIPT = re.compile(r'import "\./(?P<part>[\w-]+\.js)";')
# The two forms that modules use among each other. Another form is refused, because the bundle would be broken.
NAMED_IMPORT = re.compile(r'^import \{(?P<names>\s*\w+(?:,\s*\w+)*,?\s*)\} from "\./(?P<part>[\w-]+\.js)";$', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.M)
# A module of a library may be loaded later, by an address that the page gives.
UNKNOWN = re.compile(r"^(?:import|export)\b.*|\bimport\((?!address\)).*", re.M)


def bundle_styles(source: Path) -> str:
    def replace_import(line: re.Match[str]) -> str:
        text = (source.parent / line["part"]).read_text()
        return f"@media {line['media']} {{\n{text}}}\n" if line["media"] else text

    return STYLE.sub(replace_import, source.read_text())


def bundle_scripts(source: Path) -> str:
    """Replace each import by its module. A module that others import from comes before the first of them."""
    bundled: set[str] = set()

    def bundle_module(name: str) -> str:
        if name in bundled:
            return ""
        bundled.add(name)
        text = (source.parent / name).read_text()
        needed = "".join(bundle_module(line["part"]) for line in NAMED_IMPORT.finditer(text))
        return needed + module_block(name, text)

    return "const modules = {};\n" + SCRIPT.sub(lambda line: bundle_module(line["part"]), source.read_text())


def module_block(name: str, text: str) -> str:
    """The module in a scope of its own. As with ES modules, its failure stops only itself and what imports from it."""
    names = [match["name"] for match in EXPORT.finditer(text)]
    body = NAMED_IMPORT.sub(r'const {\g<names>} = modules["\g<part>"];', EXPORT.sub("", text))
    if match := UNKNOWN.search(body):
        raise ValueError(f"{name}: the bundle does not understand “{match.group()}”")
    exports = f'modules["{name}"] = {{ {", ".join(names)} }};\n' if names else ""
    return f"try {{\n{body}{exports}}} catch (error) {{\n  reportError(error);\n}}\n"


BUNDLES: dict[str, Callable[[Path], str]] = {
    "css/app.css": bundle_styles,
    "css/visitors.css": bundle_styles,
    "js/app.js": bundle_scripts,
    "js/page-editor.js": bundle_scripts,
}


def write_file(path: Path, text: str) -> None:
    """Write the file in one step, because other processes may read it or write the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(text)
    written = Path(file.name)
    written.chmod(0o644)
    written.replace(path)


class BundleFinder(FileSystemFinder):
    """Finds the bundles. It comes before the finder of the parts, so that the bundles are served."""

    def __init__(self, app_names: object = None) -> None:
        super().__init__()
        ((_, parts),) = self.locations
        self.parts = Path(parts)
        folder = str(settings.DATA_DIR / "bundle")
        self.locations = [("", folder)]
        self.storages = {folder: FileSystemStorage(location=folder)}

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        ((_, folder),) = self.locations
        self.write_bundles(folder)
        for path in BUNDLES:
            yield path, self.storages[folder]

    def find_location(self, root: str, path: str, prefix: str | None = None) -> str | None:
        self.write_bundles(root)
        return super().find_location(root, path, prefix)

    def write_bundles(self, folder: str) -> None:
        """Called only when files are looked up: a command that serves none may run where nothing can be written."""
        for path, bundle in BUNDLES.items():
            write_file(Path(folder) / path, bundle(self.parts / path))
