"""Text blocks as markup for a plain text field, and back.

Blank lines separate paragraphs. Lines that start with `# ` to `###### ` are headings, with `- ` or `1. ` items of a
list, with `> ` a quote; `---` is a line. `{#3}` keeps the place of a block that the markup cannot express.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import partial
from typing import Any

from content.blocks.inline_markup import Originals, from_inline, inline_of
from content.blocks.nodes import (
    BULLETS,
    HEADING,
    LIST_ITEM,
    LISTS,
    NUMBERS,
    PARAGRAPH,
    QUOTE,
    RULE,
    Node,
    attrs_of,
    children_of,
    heading_level,
    list_start,
    type_of,
)
from content.blocks.text_runs import keep_runs

# The table refuses deeply nested values.
MAX_DEPTH = 6
_MARKER = re.compile(r"(?P<heading>#{1,6}) |(?P<bullet>-) |(?P<number>[0-9]{1,6})\. |(?P<quote>>) ?")
_EMPTY_ITEM = re.compile(r"(?P<bullet>-)$|(?P<number>[0-9]{1,6})\.$")
_ORIGINAL = re.compile(r"\{#([0-9]{1,5})\}")
# Between two lists of one type.
_LIST_END = "{-}"
_LINE = "---"


def to_markup(nodes: list[Any], originals: Originals, depth: int = 0) -> str:
    """The markup of blocks."""
    parts: list[str] = []
    previous = ""
    for node in nodes:
        text, kind = _block(node, originals, depth), type_of(node)
        if parts:
            if kind == previous and kind in LISTS:
                parts.append(f"\n\n{_LIST_END}\n\n")
            else:
                parts.append("\n" if depth and previous == PARAGRAPH and kind in LISTS else "\n\n")
        parts.append(text)
        previous = kind
    return "".join(parts)


def _block(node: Any, originals: Originals, depth: int) -> str:
    """The markup of a block if reading it gives the block again, else its number."""
    kind = type_of(node)
    text = _WRITERS[kind](node, originals, depth) if kind in _WRITERS and depth <= MAX_DEPTH else ""
    found = parse_markup(text, originals, depth) if text else []
    is_exact = len(found) == 1 and type_of(found[0]) == kind and _WRITERS[kind](found[0], originals, depth) == text
    return text if is_exact else f"{{#{originals.number_of(node)}}}"


def _write_paragraph(node: Node, originals: Originals, depth: int) -> str:
    lines = inline_of(node, originals).split("\n")
    return "\n".join(_escape_line(line) for line in lines)


def _escape_line(line: str) -> str:
    """A line of a paragraph that looks like the start of another block gets a backslash."""
    found = _MARKER.match(line) or _EMPTY_ITEM.match(line)
    if found and found["number"]:
        return line.replace(".", "\\.", 1)
    return f"\\{line}" if found or line == _LINE else line


def _write_heading(node: Node, originals: Originals, depth: int) -> str:
    return f"{'#' * heading_level(node)} {inline_of(node, originals)}"


def _write_list(node: Node, originals: Originals, depth: int) -> str:
    items = children_of(node)
    if any(type_of(item) != LIST_ITEM for item in items):
        return ""
    start = list_start(node)
    markers = ("- " if type_of(node) == BULLETS else f"{start + index}. " for index in range(len(items)))
    return "\n".join(
        _indent(marker, _item_text(item, originals, depth)) for marker, item in zip(markers, items, strict=False)
    )


def _item_text(item: Node, originals: Originals, depth: int) -> str:
    children = children_of(item)
    if len(children) == 1 and type_of(children[0]) == PARAGRAPH and not children_of(children[0]):
        return ""
    return to_markup(children, originals, depth + 1)


def _indent(marker: str, text: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        [(marker + lines[0]).rstrip(" ") if not lines[0] else marker + lines[0]]
        + [" " * len(marker) + line if line else line for line in lines[1:]]
    )


def _write_quote(node: Node, originals: Originals, depth: int) -> str:
    text = to_markup(children_of(node), originals, depth + 1)
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _write_rule(node: Node, originals: Originals, depth: int) -> str:
    return _LINE


_WRITERS: dict[str, Callable[[Node, Originals, int], str]] = {
    PARAGRAPH: _write_paragraph,
    HEADING: _write_heading,
    BULLETS: _write_list,
    NUMBERS: _write_list,
    QUOTE: _write_quote,
    RULE: _write_rule,
}


def parse_markup(markup: str, originals: Originals, depth: int = 0) -> list[Any]:
    """The blocks of markup."""
    lines, nodes, at = markup.split("\n"), [], 0
    while at < len(lines):
        line = lines[at]
        found = (_MARKER.match(line) or _EMPTY_ITEM.match(line)) if depth <= MAX_DEPTH else None
        if not line or line == _LIST_END:
            at += 1
        elif line == _LINE:
            nodes.append({"type": RULE})
            at += 1
        elif (original := _original_at(line, originals)) is not None:
            nodes.append(original)
            at += 1
        elif found and found.groupdict().get("heading"):
            level = len(found["heading"])
            nodes.append(_node(HEADING, from_inline(line[found.end() :], originals), {"level": level}))
            at += 1
        elif found and found.groupdict().get("quote"):
            inner, at = _take_quote(lines, at)
            nodes.append(_node(QUOTE, parse_markup("\n".join(inner), originals, depth + 1)))
        elif found:
            node, at = _take_list(lines, at, originals, depth)
            nodes.append(node)
        else:
            text, at = _take_paragraph(lines, at, depth)
            nodes.append(_node(PARAGRAPH, from_inline(text, originals)))
    return nodes


def _original_at(line: str, originals: Originals) -> Any:
    found = _ORIGINAL.fullmatch(line)
    return originals.value_at(int(found[1])) if found else None


def _node(kind: str, content: list[Any], attrs: dict[str, Any] | None = None) -> Node:
    return {"type": kind} | ({"attrs": attrs} if attrs else {}) | ({"content": content} if content else {})


def _take_quote(lines: list[str], at: int) -> tuple[list[str], int]:
    inner = []
    while at < len(lines) and lines[at].startswith(">"):
        inner.append(lines[at][1:].removeprefix(" "))
        at += 1
    return inner, at


def _take_paragraph(lines: list[str], at: int, depth: int) -> tuple[str, int]:
    """The lines up to a blank one or one that starts another block. A line of only a backslash is a line break."""
    taken = [lines[at]]
    at += 1
    while at < len(lines):
        line = lines[at]
        is_break_before = taken[-1].endswith("\\") and not taken[-1].endswith("\\\\")
        if not line and not is_break_before:
            break
        starts_other = _MARKER.match(line) or _EMPTY_ITEM.match(line) or _ORIGINAL.fullmatch(line)
        if (starts_other and depth <= MAX_DEPTH) or line in (_LINE, _LIST_END):
            break
        taken.append(line)
        at += 1
    return "\n".join(taken), at


def _item_start(line: str, kind: str) -> int:
    """The length of the marker of an item of this kind; 0 if the line does not start one."""
    found = _MARKER.match(line) or _EMPTY_ITEM.match(line)
    groups = found.groupdict() if found else {}
    return found.end() if found and groups.get("bullet" if kind == BULLETS else "number") else 0


def _take_list(lines: list[str], at: int, originals: Originals, depth: int) -> tuple[Node, int]:
    kind = BULLETS if lines[at].startswith("-") else NUMBERS
    start = 1 if kind == BULLETS else int(lines[at].split(".")[0])
    items = []
    while at < len(lines) and (width := _item_start(lines[at], kind)):
        inner = [lines[at][width:]]
        at += 1
        indent = " " * width if inner[0] else " " * (width + 1)
        while at < len(lines):
            following = next((index for index in range(at, len(lines)) if lines[index]), len(lines))
            if following == len(lines) or not lines[following].startswith(indent):
                break
            inner += [""] * (following - at) + [lines[following][len(indent) :]]
            at = following + 1
        content = parse_markup("\n".join(inner), originals, depth + 1)
        items.append(_node(LIST_ITEM, content or [{"type": PARAGRAPH}]))
        following = next((index for index in range(at, len(lines)) if lines[index]), len(lines))
        if following < len(lines) and _item_start(lines[following], kind):
            at = following
    return _node(kind, items, {"start": start} if kind == NUMBERS else None), at


def keep_originals(before: list[Any], after: list[Any], originals: Originals) -> list[Any]:
    """The blocks of `after`; those whose markup did not change are the blocks of `before`, value for value."""
    old_keys, new_keys = ([_key(node, originals) for node in nodes] for nodes in (before, after))
    kept: list[Any] = []
    for kind, old, old_end, new, new_end in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
        if kind == "equal":
            kept += before[old:old_end]
        else:
            kept += _keep_changed(before[old:old_end], after[new:new_end], originals)
    return kept


def _keep_changed(before: list[Any], after: list[Any], originals: Originals) -> list[Any]:
    remaining, kept = list(before), []
    for node in after:
        same_type = next((each for each in remaining if type_of(each) == type_of(node)), None)
        if same_type is None:
            kept.append(node)
            continue
        del remaining[: next(index for index, each in enumerate(remaining) if each is same_type) + 1]
        kept.append(_keep_attrs(same_type, node, originals))
    return kept


def _keep_attrs(before: Node, after: Node, originals: Originals) -> Node:
    """The changed node with the attributes of the original that the markup does not contain."""
    has_texts = type_of(after) in (PARAGRAPH, HEADING)
    content = children_of(after)
    keep = keep_runs if has_texts else partial(keep_originals, originals=originals)
    content = keep(children_of(before), content)
    merged = {name: value for name, value in before.items() if name != "content"}
    if type_of(after) == HEADING and heading_level(before) != heading_level(after):
        merged["attrs"] = attrs_of(before) | attrs_of(after)
    if type_of(after) == NUMBERS and list_start(before) != list_start(after):
        merged["attrs"] = attrs_of(before) | attrs_of(after)
    return merged | ({"content": content} if content else {})


def _key(node: Any, originals: Originals) -> str:
    text = _item_text(node, originals, 1) if type_of(node) == LIST_ITEM else _block(node, originals, 1)
    return f"{type_of(node)}:{text}"
