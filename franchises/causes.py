"""What several movements belong to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CauseKind(StrEnum):
    COUNT = "count"
    FILE = "file"
    TRANSFER = "transfer"
    UNDO = "undo"


@dataclass(frozen=True)
class Cause:
    """What several movements belong to: a count, a file, a transfer, or an undo of several movements."""

    kind: CauseKind
    id: str
    title: str = ""

    def to_dict(self) -> dict[str, str]:
        return {"kind": self.kind.value, "id": self.id} | ({"title": self.title} if self.title else {})
