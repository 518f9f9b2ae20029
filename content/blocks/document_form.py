"""The form of a whole page: its blocks as fieldsets, in the order in which the browser sends them.

Each block has a marker in the repeated field `block`: the prefix of its fields and what it is: a block of the version
that the person opened, with its position and fingerprint, a copy of one, or a new one.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from content.blocks.edits import BlockChange, change_block, new_block
from content.blocks.fields import BlockItems
from content.blocks.fingerprints import fingerprint
from content.blocks.inline_markup import Originals
from content.blocks.merge import MergeEntry
from content.blocks.nodes import PARAGRAPH, Document, type_of
from content.blocks.plugins import PLUGINS
from dashboard.core.ids import new_id

MARKER = "block"
# The last field of the form: without it, the end of the form was lost.
END = "end"
MAX_BLOCKS = 600
KEPT, COPIED, NEW = "k", "c", "n"
# Its prefix is replaced in the browser.
BLANK = "xblank"
_MARKER = re.compile(r"(?P<prefix>[a-z0-9]{1,20})~(?P<kind>[kcn])~(?P<ref>[A-Za-z0-9]{1,40})~(?P<mark>[0-9a-f]{0,16})")


@dataclass
class BlockEntry:
    """One block of the form. `sent` is what the browser sent for it; empty in a form that was just opened."""

    prefix: str
    kind: str
    ref: str
    node: Any
    sent: dict[str, list[str]] = field(default_factory=dict)
    # The block was not found in the version that the person opened.
    is_lost: bool = False
    # Those of the whole document that the person opened.
    originals: Originals | None = None

    @property
    def marker(self) -> str:
        mark = "" if self.kind == NEW else fingerprint(self.node)
        return f"{self.prefix}~{self.kind}~{self.ref}~{mark}"

    @property
    def origin(self) -> int | None:
        """The position in the version that the person opened; None for a copy and a new block."""
        return int(self.ref) if self.kind == KEPT else None

    def change(self) -> BlockChange:
        return change_block(self.node, self.sent, self.originals)


@dataclass
class DocumentForm:
    """The blocks of a page as a person sees and changes them."""

    entries: list[BlockEntry]
    is_complete: bool = True
    originals: Originals = field(default_factory=lambda: Originals([]))

    def __post_init__(self) -> None:
        for entry in self.entries:
            entry.originals = self.originals

    @classmethod
    def of(cls, document: Document | None) -> DocumentForm:
        nodes = document or []
        entries = [BlockEntry(f"k{index}", KEPT, str(index), node) for index, node in enumerate(nodes)]
        return cls(entries, originals=Originals(nodes))

    @classmethod
    def blank(cls) -> DocumentForm:
        """A new paragraph, from which the rich text editor makes more blocks."""
        return cls([BlockEntry(BLANK, NEW, PARAGRAPH, new_block(PARAGRAPH))])

    @classmethod
    def sent(cls, document: Document | None, data: QueryDict) -> DocumentForm:
        """The form as a browser sent it, for the version that the person opened."""
        document = document or []
        fields = _by_prefix(data)
        marks = [fingerprint(node) for node in document]
        entries: dict[str, BlockEntry] = {}
        used: set[str] = set()
        for marker in data.getlist(MARKER)[:MAX_BLOCKS]:
            found = _MARKER.fullmatch(marker)
            entry = _entry(found, document, marks) if found else None
            if entry is None or entry.prefix in entries or (entry.kind == KEPT and entry.ref in used):
                continue
            used |= {entry.ref} if entry.kind == KEPT else set()
            entry.sent = fields.get(entry.prefix, {})
            entries[entry.prefix] = entry
        return cls(list(entries.values()), END in data, Originals(document))

    @property
    def lost(self) -> list[BlockEntry]:
        return [entry for entry in self.entries if entry.is_lost]

    def changes(self) -> list[BlockChange]:
        return [entry.change() for entry in self.entries]

    def merge_entries(self) -> list[MergeEntry]:
        return [MergeEntry(entry.origin, entry.change().nodes) for entry in self.entries]

    def document(self) -> Document:
        return [node for change in self.changes() for node in change.nodes]

    def position_of(self, prefix: str) -> int | None:
        return next((index for index, entry in enumerate(self.entries) if entry.prefix == prefix), None)


def _by_prefix(data: QueryDict) -> dict[str, dict[str, list[str]]]:
    """What was sent, by the prefix of the block and the name of its field."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, texts in data.lists():
        prefix, separator, rest = name.partition("-")
        if separator:
            found.setdefault(prefix, {})[rest] = [str(text) for text in texts]
    return found


def _entry(found: re.Match[str], document: Document, marks: Sequence[str]) -> BlockEntry | None:
    prefix, kind, ref, mark = found["prefix"], found["kind"], found["ref"], found["mark"]
    if kind == NEW:
        node = new_block(ref)
        return None if node is None else BlockEntry(prefix, kind, ref, node)
    index = int(ref) if ref.isdigit() and len(ref) < 6 else -1
    if not 0 <= index < len(marks) or marks[index] != mark:
        index = marks.index(mark) if mark in marks else -1
    if index < 0:
        return BlockEntry(prefix, kind, ref if ref.isdigit() else "0", None, is_lost=True)
    return BlockEntry(prefix, kind, str(index), document[index])


def act(form: DocumentForm, action: str) -> str:
    """Carry out what a button of a block says, for example `up:k3` or `add:k3:hero`. Return the block to show."""
    name, _colon, rest = action.partition(":")
    prefix, _colon, argument = rest.partition(":")
    position = form.position_of(prefix)
    if name == "add":
        return _add(form, position, argument)
    if name == "picture":
        return _add_pictures(form, position, argument)
    if position is None or name not in _ACTIONS:
        return ""
    return _ACTIONS[name](form, position, argument)


def _add(form: DocumentForm, position: int | None, type_: str) -> str:
    if new_block(type_) is None or len(form.entries) >= MAX_BLOCKS:
        return ""
    return _insert(form, position, type_, {})


def _insert(form: DocumentForm, position: int | None, type_: str, sent: dict[str, list[str]]) -> str:
    entry = BlockEntry(_new_prefix(), NEW, type_, new_block(type_), sent, originals=form.originals)
    form.entries.insert(0 if position is None else position + 1, entry)
    return entry.prefix


def _add_pictures(form: DocumentForm, position: int | None, addresses: str) -> str:
    """Add a block for each picture that was uploaded, after a block or at the start."""
    shown = ""
    for address in reversed(addresses.split()):
        if len(form.entries) < MAX_BLOCKS:
            shown = _insert(form, position, "image", {"src": [address]})
    return shown


def _new_prefix() -> str:
    return f"x{new_id()[-10:]}"


def _move(form: DocumentForm, position: int, by: int) -> str:
    entry = form.entries.pop(position)
    form.entries.insert(max(0, position + by), entry)
    return entry.prefix


def _duplicate(form: DocumentForm, position: int, argument: str) -> str:
    if len(form.entries) >= MAX_BLOCKS:
        return ""
    original = form.entries[position]
    kind = COPIED if original.kind == KEPT else original.kind
    entry = BlockEntry(
        _new_prefix(), kind, original.ref, original.node, copy.deepcopy(original.sent), originals=form.originals
    )
    form.entries.insert(position + 1, entry)
    return entry.prefix


def _remove(form: DocumentForm, position: int, argument: str) -> str:
    del form.entries[position]
    return form.entries[min(position, len(form.entries) - 1)].prefix if form.entries else ""


def _items_of(entry: BlockEntry, argument: str) -> tuple[BlockItems | None, int]:
    """The list of items that an argument such as `items` or `items-2` names, and the position in it."""
    name, _dash, position = argument.partition("-")
    plugin = PLUGINS.get(type_of(entry.node))
    found = plugin.field(name) if plugin else None
    index = int(position) if position.isascii() and position.isdigit() and len(position) < 5 else -1
    return (found if isinstance(found, BlockItems) else None), index


def _add_item(form: DocumentForm, position: int, argument: str) -> str:
    entry = form.entries[position]
    items, _index = _items_of(entry, argument)
    if items is not None and len(entry.sent.get(items.name, ())) < items.max_items:
        entry.sent.setdefault(items.name, []).append("new")
    return entry.prefix


def _reorder_items(entry: BlockEntry, items: BlockItems, order: list[int]) -> None:
    """Rename the fields of the items so that they are in a new order; those left out are removed."""
    prefix = f"{items.name}-"
    rest = {name: texts for name, texts in entry.sent.items() if name != items.name and not name.startswith(prefix)}
    markers = entry.sent.get(items.name, [])
    rest[items.name] = [markers[index] for index in order]
    for position, index in enumerate(order):
        own = f"{prefix}{index}-"
        rest |= {
            f"{prefix}{position}-{name.removeprefix(own)}": texts
            for name, texts in entry.sent.items()
            if name.startswith(own)
        }
    entry.sent = rest


def _remove_item(form: DocumentForm, position: int, argument: str) -> str:
    entry = form.entries[position]
    items, index = _items_of(entry, argument)
    if items is not None:
        count = len(entry.sent.get(items.name, ()))
        _reorder_items(entry, items, [each for each in range(count) if each != index])
    return entry.prefix


def _move_item_up(form: DocumentForm, position: int, argument: str) -> str:
    entry = form.entries[position]
    items, index = _items_of(entry, argument)
    count = len(entry.sent.get(items.name, ())) if items is not None else 0
    if items is not None and 0 < index < count:
        order = list(range(count))
        order[index - 1], order[index] = order[index], order[index - 1]
        _reorder_items(entry, items, order)
    return entry.prefix


_ACTIONS: Mapping[str, Callable[[DocumentForm, int, str], str]] = {
    "up": lambda form, position, _argument: _move(form, position, -1),
    "down": lambda form, position, _argument: _move(form, position, 1),
    "duplicate": _duplicate,
    "remove": _remove,
    "choose": lambda form, position, _argument: form.entries[position].prefix,
    "open": lambda form, position, _argument: form.entries[position].prefix,
    "add-item": _add_item,
    "remove-item": _remove_item,
    "move-item": _move_item_up,
}
