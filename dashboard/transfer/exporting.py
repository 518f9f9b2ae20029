"""The table's items into a file, page by page: after each one the checkpoint says where the next begins."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dashboard.table.guards import offline
from dashboard.transfer.checkpoint import Checkpoint
from dashboard.transfer.formats import render
from dashboard.transfer.target import Target

PAGE = 2000


def export_items(
    target: Target,
    part: Path,
    checkpoint: Checkpoint,
    *,
    compressed: bool,
    on_page: Callable[[int], None] = lambda _: None,
) -> int:
    """Write every item to the file; gives their number. Each page is a gzip member, so that a cut is clean."""
    state = checkpoint.load() if part.exists() else None
    state = state or {"end": 0, "items": 0, "start": None}
    pack: Callable[[bytes], bytes] = _pack if compressed else bytes
    with part.open("r+b" if state["end"] else "wb") as file, offline():
        # What was written after the checkpoint is written again.
        file.truncate(state["end"])
        file.seek(0, os.SEEK_END)
        while True:
            options: dict[str, Any] = {"ExclusiveStartKey": state["start"]} if state["start"] else {}
            answer = target.call("scan", ConsistentRead=True, Limit=PAGE, **options)
            file.write(pack(b"".join(render(raw) for raw in answer["Items"])))
            file.flush()
            os.fsync(file.fileno())
            state["items"] += len(answer["Items"])
            state |= {"end": file.tell(), "start": answer.get("LastEvaluatedKey")}
            if not state["start"]:
                break
            checkpoint.save(state)
            on_page(state["items"])
    return int(state["items"])


def _pack(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=6, mtime=0)
