"""Changes to a document as pure functions. What a change does not concern stays the same, value for value."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from content.blocks.fields import BlockField, BlockFlag, BlockItems, sent_text
from content.blocks.inline_markup import Originals, from_inline, inline_of
from content.blocks.markup import keep_originals, parse_markup, to_markup
from content.blocks.nodes import (
    HEADING,
    HEADING_LEVELS,
    LIST_ITEM,
    LISTS,
    PARAGRAPH,
    QUOTE,
    STANDARD_NODES,
    TEXT_NODES,
    Document,
    Node,
    attrs_of,
    children_of,
    heading_level,
    type_of,
)
from content.blocks.plugins import PLUGINS, new_value
from content.blocks.rich_text import from_rich
from content.blocks.text_runs import keep_runs
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id

# What a form sends for a block or an item, by the name of the field.
Sent = Mapping[str, Sequence[str]]
NEW_ITEM = "new"
LEVEL_FIELD, TEXT_FIELD = "level", "text"
# What the rich text editor sends in place of both.
RICH_FIELD = "rich"
# The formatted text that the website shows instead of the plain one.
_FORMATTED = {"subheadline": "subheadlineRich"}


@dataclass
class BlockChange:
    """What became of one block: its nodes, usually one, and the errors by the names of the fields."""

    nodes: list[Any]
    errors: dict[str, str] = field(default_factory=dict)


def new_block(type_: str) -> Node | None:
    """A new block of a type; None for a type that the website does not know."""
    if type_ in PLUGINS:
        return {"type": type_, "attrs": PLUGINS[type_].new_attrs()}
    if type_ in LISTS:
        return {"type": type_, "content": [{"type": LIST_ITEM, "content": [{"type": PARAGRAPH}]}]}
    if type_ == QUOTE:
        return {"type": type_, "content": [{"type": PARAGRAPH}]}
    if type_ == HEADING:
        return {"type": type_, "attrs": {"level": 2}}
    return {"type": type_} if type_ in STANDARD_NODES else None


def is_editable(node: Any) -> bool:
    """Whether the block has a form. The others are shown as locked."""
    kind = type_of(node)
    if kind in PLUGINS:
        return set(node) <= {"type", "attrs"} and isinstance(node.get("attrs", {}), dict)
    return kind in TEXT_NODES and block_text(node) is not None


def block_text(node: Any) -> str | None:
    """The text of a text block in its field; None if the markup cannot express the block."""
    originals = Originals([node])
    if type_of(node) == HEADING:
        return inline_of(node, originals)
    if type_of(node) == PARAGRAPH and not children_of(node):
        return ""
    text = to_markup([node], originals)
    return None if text == f"{{#{originals.number_of(node)}}}" else text


def text_of_blocks(nodes: list[Any], stored: Node) -> str:
    """The text of what became of a text block, in its field."""
    if len(nodes) == 1 and type_of(nodes[0]) == type_of(stored):
        return block_text(nodes[0]) or ""
    return to_markup(nodes, Originals([stored]))


def change_block(node: Any, sent: Sent, originals: Originals | None = None) -> BlockChange:
    """Apply what a form sent. Fields that were not sent, or whose text is the same, keep their values.

    `originals` are those of the whole document: a text of the rich text editor may come from another block.
    """
    if not sent or not is_editable(node):
        return BlockChange([node])
    rich = last_of(sent, RICH_FIELD)
    if rich and type_of(node) in TEXT_NODES:
        return _change_rich_text(node, rich, Originals([node]) if originals is None else originals)
    return _change_plugin(node, sent) if type_of(node) in PLUGINS else _change_text(node, sent)


def _change_rich_text(node: Node, sent: str, originals: Originals) -> BlockChange:
    try:
        return BlockChange(from_rich(sent, originals))
    except Refused as refusal:
        return BlockChange([node], {TEXT_FIELD: str(refusal.text)})


def _change_text(node: Node, sent: Sent) -> BlockChange:
    shown, text = block_text(node) or "", last_of(sent, TEXT_FIELD)
    level = last_of(sent, LEVEL_FIELD)
    if type_of(node) == HEADING and level and level != str(heading_level(node)):
        if not level.isascii() or not level.isdigit() or int(level) not in HEADING_LEVELS:
            return BlockChange([node], {LEVEL_FIELD: _("Choose one of the values.")})
        node = node | {"attrs": attrs_of(node) | {"level": int(level)}}
    if text is None or sent_text(text, "text") == sent_text(shown, "text"):
        return BlockChange([node])
    originals, text = Originals([node]), _without_last_breaks(sent_text(text, "text"))
    if type_of(node) == HEADING:
        content = keep_runs(children_of(node), from_inline(text.replace("\n", " "), originals))
        return BlockChange([_without_content(node) | ({"content": content} if content else {})])
    found = keep_originals([node], parse_markup(text, originals), originals)
    if not found and type_of(node) == PARAGRAPH:
        found = [_without_content(node)]
    return BlockChange(found)


def _without_last_breaks(text: str) -> str:
    stripped = text.rstrip("\n")
    return stripped + "\n" if stripped.endswith("\\") and not stripped.endswith("\\\\") else stripped


def _without_content(node: Node) -> Node:
    return {name: value for name, value in node.items() if name != "content"}


def _change_plugin(node: Node, sent: Sent) -> BlockChange:
    attrs = attrs_of(node)
    changes, errors = change_fields(attrs, PLUGINS[type_of(node)].fields, sent)
    for plain, formatted in _FORMATTED.items():
        if plain in changes and attrs.get(formatted) is not None:
            changes[formatted] = None
    return BlockChange([node | {"attrs": attrs | changes}] if changes else [node], errors)


def change_fields(
    values: Mapping[str, Any], fields: Sequence[BlockField], sent: Sent
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that differ from the stored ones, and the errors."""
    changes: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for each in fields:
        stored = values.get(each.name)
        shown = each.form_text(stored)
        if shown is None:
            continue
        try:
            if isinstance(each, BlockItems):
                items, item_errors = _change_items(stored or [], each, sent)
                errors |= item_errors
                if items != (stored or []):
                    changes[each.name] = items
                continue
            text = last_of(sent, each.name)
            text = (text or "") if isinstance(each, BlockFlag) else text
            if text is not None and sent_text(text, each.widget) != sent_text(shown, each.widget):
                changes[each.name] = each.parse(sent_text(text, each.widget), stored)
        except Refused as refusal:
            errors[each.name] = str(refusal.text)
    return changes, errors


def _change_items(stored: list[Any], items: BlockItems, sent: Sent) -> tuple[list[Any], dict[str, str]]:
    found: list[Any] = []
    errors: dict[str, str] = {}
    markers = list(sent.get(items.name, ()))
    for position, marker in enumerate(markers[: items.max_items]):
        prefix = f"{items.name}-{position}-"
        own = {name.removeprefix(prefix): texts for name, texts in sent.items() if name.startswith(prefix)}
        before = item_at(stored, marker, items)
        changes, own_errors = change_fields(before, items.fields, own) if own else ({}, {})
        errors |= {prefix + name: text for name, text in own_errors.items()}
        found.append(before | changes if changes else before)
    if len(markers) > items.max_items:
        found += [item_at(stored, marker, items) for marker in markers[items.max_items :] if marker != NEW_ITEM]
    return found, errors


def item_at(stored: list[Any], marker: str, items: BlockItems) -> dict[str, Any]:
    """The stored item that a marker of the form names; a new item for `new` and unknown markers."""
    if marker.isascii() and marker.isdigit() and len(marker) < 6 and int(marker) < len(stored):
        item: dict[str, Any] = stored[int(marker)]
        return item
    return {"id": new_id(), **{each.name: new_value(each) for each in items.fields}}


def last_of(sent: Sent, name: str) -> str | None:
    texts = sent.get(name)
    return texts[-1] if texts else None


def set_block(document: Document, index: int, nodes: list[Any]) -> Document:
    return [*document[:index], *nodes, *document[index + 1 :]]


def add_block(document: Document, index: int, node: Any) -> Document:
    """The document with a block before the one at `index`."""
    return [*document[:index], node, *document[index:]]


def move_block(document: Document, index: int, to: int) -> Document:
    """The document with a block moved; beyond the first and last place it stays there."""
    rest = [*document[:index], *document[index + 1 :]]
    return add_block(rest, max(0, min(to, len(rest))), document[index])


def duplicate_block(document: Document, index: int) -> Document:
    return add_block(document, index + 1, copy.deepcopy(document[index]))


def remove_block(document: Document, index: int) -> Document:
    return [*document[:index], *document[index + 1 :]]
