"""Blocks that are plain text: paragraphs without formatting. Only such blocks can be edited as a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dashboard.table.nested import maps_in, members_of, text_of

Block = dict[str, Any]
_PARAGRAPH, _TEXT = "paragraph", "text"
# Deeper blocks are not read. No service nests that deeply.
_MAX_DEPTH = 40


def blocks_text(blocks: Any) -> str:
    """The text of any blocks, a line for each paragraph."""
    return "\n".join(_lines_of(members_of(blocks), 0)).rstrip("\n")


def _lines_of(blocks: list[Any], depth: int) -> Iterator[str]:
    for block in maps_in(blocks):
        content = block.members("content")
        if any(each.text("type") == _TEXT for each in maps_in(content)):
            yield "".join(each.text("text") for each in maps_in(content))
        elif content and depth < _MAX_DEPTH:
            yield from _lines_of(content, depth + 1)
        else:
            yield ""


def is_plain(blocks: Any) -> bool:
    """Whether the text is all that there is, so that an edited text loses nothing."""
    return all(map(_is_plain_paragraph, members_of(blocks)))


def _is_plain_paragraph(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") != _PARAGRAPH or block.keys() - {"type", "content", "attrs"}:
        return False
    attributes, content = block.get("attrs") or {}, block.get("content") or []
    has_attributes = not isinstance(attributes, dict) or any(each is not None for each in attributes.values())
    return not has_attributes and isinstance(content, list) and len(content) < 2 and all(map(_is_plain_text, content))


def _is_plain_text(node: Any) -> bool:
    is_text = isinstance(node, dict) and node.keys() == {"type", "text"} and node["type"] == _TEXT
    return is_text and "\n" not in (text_of(node["text"]) or "\n")


def with_text(blocks: Any, text: str) -> list[Block]:
    """Plain blocks with another text. A paragraph whose text stays is kept as it is."""
    unchanged: dict[str, list[Block]] = {}
    for block in members_of(blocks):
        unchanged.setdefault(blocks_text([block]), []).append(block)
    return [_paragraph(line, unchanged) for line in text.replace("\r\n", "\n").split("\n")] if text else []


def _paragraph(line: str, unchanged: dict[str, list[Block]]) -> Block:
    if unchanged.get(line):
        return unchanged[line].pop(0)
    return {"type": _PARAGRAPH, "content": [{"type": _TEXT, "text": line}]} if line else {"type": _PARAGRAPH}
