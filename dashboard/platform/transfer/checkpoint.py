"""How far a command got, in a small file that is always whole."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dashboard.platform.transfer import private

State = dict[str, Any]


@dataclass(frozen=True)
class Checkpoint:
    """A place to continue from, good only for the same work: the same file, the same table."""

    path: Path
    work: State

    def load(self) -> State | None:
        """The state last saved; none where there is none, or where it is of other work."""
        try:
            found = json.loads(self.path.read_text())
        except (FileNotFoundError, ValueError):
            return None
        if not isinstance(found, dict) or found.get("work") != self.work:
            return None
        state: State | None = found.get("state")
        return state if isinstance(state, dict) else None

    def save(self, state: State) -> None:
        """Replace the file in one step: after a crash it is the old one or the new one."""
        scratch = self.path.with_name(f"{self.path.name}.new")
        with private.opened(scratch, "w") as file:
            json.dump({"work": self.work, "state": state}, file)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
