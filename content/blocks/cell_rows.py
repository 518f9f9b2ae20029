"""The cells of a table block as lines of text, and back. A changed cell keeps its id and unknown attributes."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from dashboard.core.ids import new_id


def to_cell_rows(value: Any, *, is_header: bool) -> str | None:
    """One line for each row; None if the value has another shape."""
    if not isinstance(value, list):
        return None
    rows = [value] if is_header else value
    lines = [_to_line(row, is_header=is_header) for row in rows]
    return None if None in lines else "\n".join(map(str, lines))


def _to_line(row: Any, *, is_header: bool) -> str | None:
    cells = row if is_header else row.get("cells") if isinstance(row, dict) else None
    if not isinstance(cells, list):
        return None
    texts = [cell if is_header else cell.get("content") if isinstance(cell, dict) else None for cell in cells]
    return " | ".join(map(_escape, texts)) if all(isinstance(text, str) for text in texts) else None


def _escape(text: Any) -> str:
    return re.sub(r"[\\|]", r"\\\g<0>", str(text)).replace("\r", "").replace("\n", "\\n")


def _split(line: str) -> list[str]:
    cells, current, at = [], "", 0
    while at < len(line):
        character = line[at]
        if character == "\\" and at + 1 < len(line):
            at += 1
            current += "\n" if line[at] == "n" else line[at]
        elif character == "|":
            cells.append(current)
            current = ""
        else:
            current += character
        at += 1
    cells.append(current)
    return [cell.removesuffix(" ") if index < len(cells) - 1 else cell for index, cell in enumerate(_unpad(cells))]


def _unpad(cells: list[str]) -> list[str]:
    return [cell.removeprefix(" ") if index else cell for index, cell in enumerate(cells)]


def from_cell_rows(text: str, stored: Any, *, is_header: bool) -> list[Any]:
    """The rows of the text. Rows whose line did not change are those that are stored."""
    if is_header:
        return _split(text.split("\n")[0]) if text.strip() else []
    lines = [line for line in text.split("\n") if line.strip()]
    before = [row for row in stored if isinstance(row, dict)] if isinstance(stored, list) else []
    old_lines = [_to_line(row, is_header=False) or "" for row in before]
    rows: list[Any] = []
    for kind, old, old_end, new, new_end in SequenceMatcher(None, old_lines, lines, autojunk=False).get_opcodes():
        if kind == "equal":
            rows += before[old:old_end]
            continue
        replaced = before[old:old_end]
        rows += [
            _row(line, replaced[index] if index < len(replaced) else {})
            for index, line in enumerate(lines[new:new_end])
        ]
    return rows


def _row(line: str, before: dict[str, Any]) -> dict[str, Any]:
    found = before.get("cells")
    cells = found if isinstance(found, list) else []
    texts = _split(line)
    changed = [_cell(text, cells[index] if index < len(cells) else None) for index, text in enumerate(texts)]
    return {"id": new_id(), **before, "cells": changed}


def _cell(text: str, before: Any) -> Any:
    if not isinstance(before, dict):
        return {"id": new_id(), "content": text}
    return before if before.get("content") == text else before | {"content": text}
