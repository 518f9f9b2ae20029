"""Text blocks as the rich text editor shows them, and back.

The editor knows the standard nodes and marks. Each has the number `n` of the stored node or mark that it is, so that
attributes which the editor does not know stay. What it cannot show is in it as `keptBlock`, `keptText` or the mark
`kept`: they move with the text and stand for the stored value.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from content.blocks.addresses import is_safe_address
from content.blocks.fingerprints import is_same
from content.blocks.inline_markup import Originals
from content.blocks.markup import MAX_DEPTH
from content.blocks.nodes import (
    HEADING,
    HEADING_LEVELS,
    LINE_BREAK,
    LINK,
    LIST_ITEM,
    LISTS,
    MARKS,
    NUMBERS,
    PARAGRAPH,
    QUOTE,
    RULE,
    TEXT,
    Node,
    attrs_of,
    children_of,
    heading_level,
    list_start,
    marks_of,
    text_of,
    type_of,
)
from content.blocks.text_runs import BREAK_KEYS, is_plain_text, keep_runs
from dashboard.core.errors import Refused

KEPT_BLOCK, KEPT_TEXT, KEPT_MARK = "keptBlock", "keptText", "kept"
TEXT_BLOCKS, CONTAINERS = (PARAGRAPH, HEADING), (*LISTS, LIST_ITEM, QUOTE)
MAX_LENGTH = 400_000
MAX_LABEL = 40
# Browsers change these in editable text.
_UNUSUAL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")


def to_rich(node: Any, originals: Originals) -> Node | None:
    """A block for the editor; None if it would show nothing of it."""
    shown = _to_block(node, originals, 0)
    return None if shown["type"] in (KEPT_BLOCK, RULE) else shown


def _to_block(node: Any, originals: Originals, depth: int) -> Node:
    kind, children = type_of(node), children_of(node)
    number = originals.number_of(node)
    kept = {"type": KEPT_BLOCK, "attrs": {"n": number, "label": _label(node)}}
    is_plain = isinstance(node, dict) and isinstance(node.get("attrs", {}), dict)
    if not is_plain or not isinstance(node.get("content", []), list) or depth > MAX_DEPTH:
        return kept
    if kind == RULE and not children:
        return {"type": RULE, "attrs": {"n": number}}
    if kind in TEXT_BLOCKS:
        content = [_to_inline(each, originals) for each in children if not _is_empty(each)]
    elif kind in (*LISTS, QUOTE) and children and (kind == QUOTE or _has_items(node)):
        step = 1 if kind == QUOTE else 0
        content = [_to_block(each, originals, depth + step) for each in children]
    elif kind == LIST_ITEM and children:
        content = [_to_block(each, originals, depth + 1) for each in children]
    else:
        return kept
    attrs: dict[str, Any] = {"n": number}
    if kind == HEADING:
        attrs["level"] = heading_level(node)
    elif kind == NUMBERS:
        attrs["start"] = list_start(node)
    return {"type": kind, "attrs": attrs} | ({"content": content} if content else {})


def _has_items(node: Node) -> bool:
    return all(
        type_of(item) == LIST_ITEM
        and isinstance(item.get("content"), list)
        and item["content"]
        and isinstance(item.get("attrs", {}), dict)
        for item in children_of(node)
    )


def _is_empty(node: Any) -> bool:
    return is_plain_text(node) and not node["text"]


def _to_inline(node: Any, originals: Originals) -> Node:
    kept = {"type": KEPT_TEXT, "attrs": {"n": originals.number_of(node), "label": _label(node)}}
    is_text = is_plain_text(node) and not _UNUSUAL.search(node["text"])
    is_break = type_of(node) == LINE_BREAK and set(node) <= BREAK_KEYS and isinstance(node.get("marks", []), list)
    if not is_text and not is_break:
        return kept
    marks = [_to_mark(mark, originals) for mark in marks_of(node)]
    names = [f"{mark['type']}{mark['attrs']['n'] if mark['type'] == KEPT_MARK else ''}" for mark in marks]
    if len(names) > len(set(names)):
        return kept
    shown = {"type": TEXT, "text": node["text"]} if is_text else {"type": LINE_BREAK}
    return shown | ({"marks": marks} if marks else {})


def _to_mark(mark: Any, originals: Originals) -> Node:
    kind, attrs = type_of(mark), attrs_of(mark)
    if kind in MARKS and kind != LINK and set(mark) == {"type"}:
        return {"type": kind}
    number, href = originals.number_of(mark), attrs.get("href")
    if kind == LINK and set(mark) <= {"type", "attrs"} and isinstance(href, str) and href:
        return {"type": LINK, "attrs": {"href": href, "n": number}}
    return {"type": KEPT_MARK, "attrs": {"n": number, "label": kind[:MAX_LABEL] or "?"}}


def _label(node: Any) -> str:
    text = text_of(node) if isinstance(node, dict) and type_of(node) == TEXT else type_of(node)
    return _UNUSUAL.sub(" ", text)[:MAX_LABEL].strip() or "?"


def from_rich(sent: str, originals: Originals) -> list[Any]:
    """The blocks that the editor sent. Raises Refused if it cannot be read or contains what is not allowed."""
    try:
        nodes = json.loads(sent) if len(sent) <= MAX_LENGTH else None
    except (ValueError, RecursionError):
        nodes = None
    if not isinstance(nodes, list):
        raise _unreadable()
    return [_RichReader(originals).block(each, 0) for each in nodes]


def plain_text_of(sent: str) -> str:
    """The words of what the editor sent."""
    try:
        nodes = json.loads(sent)
    except (ValueError, RecursionError):
        return ""
    return "\n".join(map(text_of, nodes)) if isinstance(nodes, list) else ""


def _unreadable() -> Refused:
    return Refused(_("This text could not be read. Reload the page."))


class _RichReader:
    """Reads what the editor sent. `n` gives each node and mark the stored one that it was."""

    def __init__(self, originals: Originals) -> None:
        self.originals = originals

    def block(self, sent: Any, depth: int) -> Any:
        kind, original = type_of(sent), self.original_of(sent)
        if depth > MAX_DEPTH:
            raise Refused(_("This text is nested too deeply."))
        if kind == KEPT_BLOCK:
            return self.kept(sent)
        if kind not in (*TEXT_BLOCKS, *CONTAINERS, RULE):
            raise _unreadable()
        has_same_type = type_of(original) == kind
        before = children_of(original)
        if kind in TEXT_BLOCKS:
            texts = before if type_of(original) in TEXT_BLOCKS else []
            content = keep_runs(texts, [self.inline(each) for each in children_of(sent)])
        else:
            step = 1 if kind in (QUOTE, LIST_ITEM) else 0
            content = [self.block(each, depth + step) for each in children_of(sent)]
            self.check_children(kind, content)
        if not has_same_type:
            return _with_content({"type": kind} | _new_attrs(sent), content)
        attrs = _changed_attrs(sent, original)
        if attrs is None and is_same(content, before):
            return original
        rest = {name: value for name, value in original.items() if name != "content"}
        return _with_content(rest | ({"attrs": attrs} if attrs is not None else {}), content)

    def check_children(self, kind: str, content: list[Any]) -> None:
        if (kind != RULE and not content) or (kind in LISTS and any(type_of(each) != LIST_ITEM for each in content)):
            raise _unreadable()

    def inline(self, sent: Any) -> Any:
        kind = type_of(sent)
        if kind == KEPT_TEXT:
            return self.kept(sent)
        marks = [self.mark(each) for each in marks_of(sent)]
        with_marks = {"marks": marks} if marks else {}
        if kind == LINE_BREAK:
            return {"type": LINE_BREAK} | with_marks
        text = sent.get("text") if kind == TEXT else None
        if not isinstance(text, str) or not text:
            raise _unreadable()
        return {"type": TEXT} | with_marks | {"text": _CONTROL.sub("\ufffd", text)}

    def mark(self, sent: Any) -> Any:
        kind, original = type_of(sent), self.original_of(sent)
        if kind == KEPT_MARK:
            return self.kept(sent)
        if kind not in MARKS:
            raise _unreadable()
        if kind != LINK:
            return {"type": kind}
        href = attrs_of(sent).get("href")
        if type_of(original) == LINK and attrs_of(original).get("href") == href:
            return original
        if not isinstance(href, str) or not href.strip() or not is_safe_address(href) or _CONTROL.search(href):
            raise Refused(_("Enter a web address, an e-mail address with mailto: or a page such as /contact."))
        rest = original if type_of(original) == LINK else {"type": LINK}
        return rest | {"attrs": attrs_of(rest) | {"href": href.strip()}}

    def original_of(self, sent: Any) -> Any:
        number = attrs_of(sent).get("n")
        if not isinstance(number, int) or isinstance(number, bool):
            return None
        return self.originals.value_at(number)

    def kept(self, sent: Any) -> Any:
        number = attrs_of(sent).get("n")
        if not isinstance(number, int) or isinstance(number, bool) or not self.originals.has(number):
            raise _unreadable()
        return self.originals.value_at(number)


def _with_content(node: Node, content: list[Any]) -> Node:
    return node | ({"content": content} if content else {})


def _own_attrs(sent: Any) -> dict[str, int]:
    """The attributes of a node that a person changes in the editor."""
    kind, attrs = type_of(sent), attrs_of(sent)
    name, default = {HEADING: ("level", 2), NUMBERS: ("start", 1)}.get(kind, ("", 0))
    value = attrs.get(name, default)
    if not name:
        return {}
    if not isinstance(value, int) or (kind == HEADING and value not in HEADING_LEVELS) or not 0 <= value < 100_000:
        raise _unreadable()
    return {name: value}


def _new_attrs(sent: Any) -> dict[str, Any]:
    attrs = _own_attrs(sent)
    return {"attrs": attrs} if attrs else {}


def _changed_attrs(sent: Any, original: Node) -> dict[str, Any] | None:
    """The attributes of the changed node; None if they are the same."""
    shown: dict[str, int | Decimal] = {}
    if type_of(original) == HEADING:
        shown = {"level": heading_level(original)}
    elif type_of(original) == NUMBERS:
        shown = {"start": list_start(original)}
    attrs = _own_attrs(sent)
    return None if attrs == shown else attrs_of(original) | attrs
