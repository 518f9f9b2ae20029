"""The standard nodes of a document: text, headings, lists and quotes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

Node = dict[str, Any]
Document = list[Any]

PARAGRAPH, HEADING, QUOTE, RULE = "paragraph", "heading", "blockquote", "horizontalRule"
BULLETS, NUMBERS, LIST_ITEM = "bulletList", "orderedList", "listItem"
TEXT, LINE_BREAK = "text", "hardBreak"
LISTS = (BULLETS, NUMBERS)
# The nodes whose text people edit as markup.
TEXT_NODES = (PARAGRAPH, HEADING, *LISTS, QUOTE)
STANDARD_NODES = (*TEXT_NODES, RULE)
LINK = "link"
MARKS = ("bold", "italic", "underline", "strike", "code", LINK)
HEADING_LEVELS = range(1, 7)


def type_of(node: Any) -> str:
    """The type of a node; empty if an outside writer stored something that is not a node."""
    found = node.get("type") if isinstance(node, dict) else None
    return found if isinstance(found, str) else ""


def attrs_of(node: Any) -> dict[str, Any]:
    found = node.get("attrs") if isinstance(node, dict) else None
    return found if isinstance(found, dict) else {}


def children_of(node: Any) -> list[Any]:
    found = node.get("content") if isinstance(node, dict) else None
    return found if isinstance(found, list) else []


def marks_of(node: Any) -> list[Any]:
    found = node.get("marks") if isinstance(node, dict) else None
    return found if isinstance(found, list) else []


def text_node(text: str, *marks: Node) -> Node:
    return {"type": TEXT, "marks": list(marks), "text": text} if marks else {"type": TEXT, "text": text}


def paragraph(*content: str | Node) -> Node:
    return _with_content({"type": PARAGRAPH}, content)


def heading(level: int, *content: str | Node) -> Node:
    return _with_content({"type": HEADING, "attrs": {"level": level}}, content)


def bullets(*items: str) -> Node:
    return {"type": BULLETS, "content": [{"type": LIST_ITEM, "content": [paragraph(item)]} for item in items]}


def quote(*texts: str) -> Node:
    return {"type": QUOTE, "content": [paragraph(text) for text in texts]}


def _with_content(node: Node, content: tuple[str | Node, ...]) -> Node:
    nodes = [text_node(each) if isinstance(each, str) else each for each in content if each]
    return node | ({"content": nodes} if nodes else {})


def heading_level(node: Any) -> int:
    """The level of a heading; an unknown level reads as 2."""
    level = attrs_of(node).get("level")
    return int(level) if isinstance(level, int | float | Decimal) and int(level) in HEADING_LEVELS else 2


def list_start(node: Any) -> int:
    """The first number of a numbered list; an unusual one reads as 1."""
    start = attrs_of(node).get("start")
    return int(start) if isinstance(start, int | float | Decimal) and 0 <= start < 100_000 else 1


def walk(nodes: list[Any]) -> Iterator[Any]:
    """Yield all nodes with their descendants, in the order of the document."""
    for node in nodes:
        yield node
        yield from walk(children_of(node))


def text_of(node: Any) -> str:
    """The text of a node without its formatting."""
    if type_of(node) == TEXT:
        return str(node.get("text") or "")
    if type_of(node) == LINE_BREAK:
        return "\n"
    separator = "" if type_of(node) in (PARAGRAPH, HEADING) else "\n"
    return separator.join(text_of(child) for child in children_of(node))
