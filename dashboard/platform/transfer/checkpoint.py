"""The progress of a command, in a small file that is replaced atomically."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dashboard.platform.transfer.private_files import open_private

State = dict[str, Any]


@dataclass(frozen=True)
class Checkpoint:
    """A position to continue from, valid only for the same file and the same table."""

    path: Path
    work: State

    def load(self) -> State | None:
        """The saved state; None if there is none, or if it belongs to other work."""
        try:
            found = json.loads(self.path.read_text())
        except (FileNotFoundError, ValueError):
            return None
        if not isinstance(found, dict) or found.get("work") != self.work:
            return None
        state: State | None = found.get("state")
        return state if isinstance(state, dict) else None

    def save(self, state: State) -> None:
        """Replace the file atomically: after a crash it is the old one or the new one."""
        scratch = self.path.with_name(f"{self.path.name}.new")
        with open_private(scratch, "w") as file:
            json.dump({"work": self.work, "state": state}, file)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
