"""What css/app.css and js/app.js import, joined into those two: a first visit asks for four files, not for ninety.

Both are what a browser understands as it stands; joining only saves it the way to every part.
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


def style(line: re.Match[str], text: str) -> str:
    return f"@media {line['media']} {{\n{text}}}\n" if line["media"] else text


def script(line: re.Match[str], text: str) -> str:
    """In a scope of its own, and without harm to the others where it fails, as a module is."""
    return f"try {{\n{text}}} catch (error) {{\n  reportError(error);\n}}\n"


Join = Callable[[re.Match[str], str], str]
WHOLE: dict[str, tuple[re.Pattern[str], Join]] = {"css/app.css": (STYLE, style), "js/app.js": (SCRIPT, script)}


def joined(source: Path, pattern: re.Pattern[str], join: Join) -> str:
    """What the file imports in the place of its imports; it holds nothing else but comments."""
    return pattern.sub(lambda line: join(line, (source.parent / line["part"]).read_text()), source.read_text())


def replace(path: Path, text: str) -> None:
    """Others may be reading it, or writing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
        file.write(text)
    written = Path(file.name)
    written.chmod(0o644)
    written.replace(path)


class JoinedFinder(FileSystemFinder):
    """Comes before the finder of the parts, so that its two files are the ones that are served."""

    def __init__(self, app_names: object = None) -> None:
        super().__init__()
        ((_, parts),) = self.locations
        self.parts = Path(parts)
        folder = str(settings.DATA_DIR / "joined")
        self.locations = [("", folder)]
        self.storages = {folder: FileSystemStorage(location=folder)}

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        ((_, folder),) = self.locations
        self.join(folder)
        for path in WHOLE:
            yield path, self.storages[folder]

    def find_location(self, root: str, path: str, prefix: str | None = None) -> str | None:
        self.join(root)
        return super().find_location(root, path, prefix)

    def join(self, folder: str) -> None:
        """Only where files are looked for: a command that serves none may run where nothing can be written."""
        for path, how in WHOLE.items():
            replace(Path(folder) / path, joined(self.parts / path, *how))
