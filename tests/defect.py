"""A deliberate defect: a change of one file that a test must find."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Defect:
    """Replaces a text of a file by another one, or renames a file if `old` is empty."""

    what: str
    path: str
    old: str
    new: str
    test: str

    def put_into(self, folder: Path) -> None:
        path = folder / self.path
        if self.old:
            path.write_text(path.read_text().replace(self.old, self.new, 1))
        else:
            path.rename(path.with_name(self.new))
