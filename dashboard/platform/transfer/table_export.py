"""Exports the items of the table to a file, page by page. The checkpoint is saved after each page."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from dashboard.platform.transfer.checkpoint import Checkpoint, State
from dashboard.platform.transfer.formats import render
from dashboard.platform.transfer.private_files import open_private
from dashboard.platform.transfer.target import Target
from dashboard.table.guards import offline

PAGE = 2000
BLOCK = 1024 * 1024


def export_items(
    target: Target,
    partial_file: Path,
    checkpoint: Checkpoint,
    *,
    compressed: bool,
    note: Callable[[str], None] = lambda _: None,
    on_page: Callable[[int], None] = lambda _: None,
) -> int:
    """Write all items to the file; returns their number. Each page is a gzip member, so the file can be cut there."""
    state, digest = _load_progress(partial_file, checkpoint, note)
    pack: Callable[[bytes], bytes] = _pack if compressed else bytes
    with open_private(partial_file, "r+b" if state["end"] else "wb") as file, offline():
        # What was written after the checkpoint is written again.
        file.truncate(state["end"])
        file.seek(0, os.SEEK_END)
        while True:
            options: dict[str, Any] = {"ExclusiveStartKey": state["start"]} if state["start"] else {}
            answer = target.call("scan", ConsistentRead=True, Limit=PAGE, **options)
            page = pack(b"".join(render(raw) for raw in answer["Items"]))
            file.write(page)
            digest.update(page)
            file.flush()
            os.fsync(file.fileno())
            state["items"] += len(answer["Items"])
            state |= {"end": file.tell(), "start": answer.get("LastEvaluatedKey"), "digest": digest.hexdigest()}
            if not state["start"]:
                break
            checkpoint.save(state)
            on_page(state["items"])
    return int(state["items"])


def _load_progress(
    partial_file: Path, checkpoint: Checkpoint, note: Callable[[str], None]
) -> tuple[State, hashlib._Hash]:
    """The saved state and the digest of the file; the initial state if the file does not match the checkpoint."""
    state = checkpoint.load()
    if state:
        digest, size = _digest(partial_file, state["end"])
        if size < state["end"]:
            note(f"{partial_file} is missing, or shorter than it was when it was left: starting over.")
        elif digest.hexdigest() != state.get("digest"):
            note(f"{partial_file} is not what it was when it was left: starting over.")
        else:
            return state, digest
    return {"end": 0, "items": 0, "start": None}, hashlib.sha256()


def _digest(partial_file: Path, end: int) -> tuple[hashlib._Hash, int]:
    """The digest of the file's first bytes, and how many there were."""
    digest, size = hashlib.sha256(), 0
    with suppress(FileNotFoundError), partial_file.open("rb") as file:
        while data := file.read(min(BLOCK, end - size)):
            digest.update(data)
            size += len(data)
    return digest, size


def _pack(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=6, mtime=0)
