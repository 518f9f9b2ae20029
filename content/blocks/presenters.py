"""What the editor shows of each block."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.blocks.document_form import KEPT, BlockEntry, DocumentForm
from content.blocks.edits import (
    LEVEL_FIELD,
    NEW_ITEM,
    RICH_FIELD,
    TEXT_FIELD,
    BlockChange,
    block_text,
    is_editable,
    item_at,
    last_of,
    text_of_blocks,
)
from content.blocks.fields import BlockChoice, BlockField, BlockFlag, BlockItems, BlockNumber, sent_text
from content.blocks.labels import ADDABLE, TEXT_LABELS, UNKNOWN_LABEL, label_of, title_of
from content.blocks.nodes import HEADING, HEADING_LEVELS, RULE, TEXT_NODES, attrs_of, heading_level, type_of
from content.blocks.plugins import PLUGINS
from content.blocks.rich_text import to_rich

# Browsers send all fields of the page in one form, and the server accepts a limited number.
MAX_FIELDS = 1_200
LEVEL_LABEL, TEXT_LABEL = _("Level of the heading"), _("Text")


@dataclass(frozen=True)
class FieldView:
    """One field of a block in the editor."""

    name: str
    label: str | Promise
    widget: str
    text: str
    error: str = ""
    help_text: str | Promise = ""
    max_length: int = 0
    options: Sequence[tuple[str, str | Promise]] = ()
    items: list[BlockItemView] = field(default_factory=list)
    # The name of the list in the buttons that change it.
    list_name: str = ""
    item_label: str | Promise = ""
    # The same text for the rich text editor, and whether that is what was sent.
    rich: str = ""
    is_rich_sent: bool = False

    @property
    def rich_name(self) -> str:
        return f"{self.name.removesuffix(TEXT_FIELD)}{RICH_FIELD}"

    @property
    def id(self) -> str:
        return f"id_{self.name}"

    @property
    def rows(self) -> int:
        lines = sum(1 + len(line) // 80 for line in self.text.split("\n"))
        return max(3 if self.widget == "code" else 2, min(lines, 20))


@dataclass(frozen=True)
class BlockItemView:
    """One item of a list in the editor."""

    marker: str
    position: int
    title: str
    fields: list[FieldView]


@dataclass(frozen=True)
class BlockView:
    """One block in the editor."""

    prefix: str
    marker: str
    number: int
    type: str
    label: str | Promise
    title: str
    is_locked: bool
    is_plain: bool
    is_open: bool
    is_shown: bool
    # The page has too many fields for one form; a button shows those of this block.
    is_folded: bool
    fields: list[FieldView]
    # The names of the attributes that have no field.
    kept: list[str]
    has_errors: bool

    @property
    def name(self) -> str:
        """Its number and label, in the names of its buttons."""
        return f"{self.number}. {self.label}"


def build_views(form: DocumentForm, changes: Sequence[BlockChange], shown: str = "") -> list[BlockView]:
    """The blocks of a form. `shown` is the block that the person works on."""
    views, count = [], 0
    for number, (entry, change) in enumerate(zip(form.entries, changes, strict=True), start=1):
        is_shown = entry.prefix == shown
        is_needed = is_shown or change.errors or entry.kind != KEPT or not _is_unchanged(entry, change)
        view = _view(entry, change, number, is_shown=is_shown, has_fields=bool(is_needed or count < MAX_FIELDS))
        count += 1 + _count(view.fields)
        views.append(view)
    return views


def blank_view() -> BlockView:
    """A new paragraph, from which scripts make more blocks."""
    form = DocumentForm.blank()
    return build_views(form, form.changes())[0]


def _is_unchanged(entry: BlockEntry, change: BlockChange) -> bool:
    return len(change.nodes) == 1 and change.nodes[0] is entry.node


def _count(fields: Sequence[FieldView]) -> int:
    """How many fields the browser sends."""
    return sum(1 + sum(1 + _count(item.fields) for item in each.items) for each in fields)


def _view(entry: BlockEntry, change: BlockChange, number: int, *, is_shown: bool, has_fields: bool) -> BlockView:
    kind = type_of(entry.node)
    is_locked = not is_editable(entry.node) and kind != RULE
    has_form = not is_locked and kind != RULE
    fields = list(_fields(entry, change.errors)) if has_form and has_fields else []
    is_text = kind in TEXT_NODES and not is_locked
    return BlockView(
        entry.prefix,
        entry.marker,
        number,
        kind,
        label_of(entry.node) or UNKNOWN_LABEL,
        title_of(change.nodes[0]) if change.nodes else "",
        is_locked,
        is_text or kind == RULE,
        bool(change.errors or is_shown or not _is_unchanged(entry, change)),
        is_shown,
        has_form and not has_fields,
        fields,
        [] if is_locked else _kept(entry.node),
        bool(change.errors),
    )


def _kept(node: Any) -> list[str]:
    plugin, attrs = PLUGINS.get(type_of(node)), attrs_of(node)
    if plugin is None:
        return []
    shown = {each.name for each in plugin.fields if each.form_text(attrs.get(each.name)) is not None}
    return sorted(name for name, value in attrs.items() if name not in shown and value is not None)


def _fields(entry: BlockEntry, errors: Mapping[str, str]) -> Iterable[FieldView]:
    if type_of(entry.node) in TEXT_NODES:
        yield from _text_fields(entry, errors)
        return
    yield from field_views(
        attrs_of(entry.node), PLUGINS[type_of(entry.node)].fields, entry.sent, errors, f"{entry.prefix}-"
    )


def _text_fields(entry: BlockEntry, errors: Mapping[str, str]) -> Iterable[FieldView]:
    name, rich = f"{entry.prefix}-{TEXT_FIELD}", last_of(entry.sent, RICH_FIELD) or ""
    stored, text = block_text(entry.node) or "", last_of(entry.sent, TEXT_FIELD)
    text = stored if text is None else sent_text(text, "text")
    level = last_of(entry.sent, LEVEL_FIELD) or str(heading_level(entry.node))
    if rich:
        # Without JavaScript, the text field goes on with what the rich text editor sent.
        text = text_of_blocks(entry.change().nodes, entry.node)
    if type_of(entry.node) == HEADING:
        options = [(str(each), str(each)) for each in HEADING_LEVELS]
        error = errors.get(LEVEL_FIELD, "")
        yield FieldView(f"{entry.prefix}-{LEVEL_FIELD}", LEVEL_LABEL, "choice", level, error, options=options)
    is_unchanged = text == stored and level == str(heading_level(entry.node))
    shown = rich or (_rich_text(entry) if is_unchanged else "")
    yield FieldView(name, TEXT_LABEL, "markup", text, errors.get(TEXT_FIELD, ""), rich=shown, is_rich_sent=bool(rich))


def _rich_text(entry: BlockEntry) -> str:
    shown = to_rich(entry.node, entry.originals) if entry.originals else None
    return json.dumps([shown], ensure_ascii=False, separators=(",", ":")) if shown else ""


def field_views(
    values: Mapping[str, Any], fields: Sequence[BlockField], sent: Mapping[str, Sequence[str]], errors: Any, prefix: str
) -> Iterable[FieldView]:
    """The fields that can be edited, with what was sent, or else what is stored."""
    for each in fields:
        stored = values.get(each.name)
        shown = each.form_text(stored)
        if shown is None:
            continue
        name, error = prefix + each.name, errors.get(each.name, "")
        if isinstance(each, BlockItems):
            items = _item_views(each, stored or [], sent, errors, prefix)
            label = each.item_label
            yield FieldView(name, each.label, each.widget, "", items=items, list_name=each.name, item_label=label)
            continue
        typed = last_of(sent, each.name)
        if isinstance(each, BlockFlag):
            typed = (typed or "") if sent else None
        text = shown if typed is None else typed.replace("\r\n", "\n")
        options = each.options(text) if isinstance(each, BlockChoice) else ()
        length = 0 if isinstance(each, BlockNumber) else max(each.max_length, len(shown))
        yield FieldView(name, each.label, each.widget, text, error, each.help_text, length, options)


def _item_views(
    items: BlockItems, stored: list[Any], sent: Mapping[str, Sequence[str]], errors: Mapping[str, str], prefix: str
) -> list[BlockItemView]:
    markers = sent.get(items.name, ()) if sent else [str(index) for index in range(len(stored))]
    views = []
    for position, marker in enumerate(markers):
        own = f"{items.name}-{position}-"
        own_sent = {name.removeprefix(own): texts for name, texts in sent.items() if name.startswith(own)}
        own_errors = {name.removeprefix(own): text for name, text in errors.items() if name.startswith(own)}
        item = item_at(stored, marker, items)
        fields = list(field_views(item, items.fields, own_sent, own_errors, prefix + own))
        title = next((each.text for each in fields if each.name.endswith(f"-{items.title}")), "")
        views.append(
            BlockItemView(marker if marker.isdigit() else NEW_ITEM, position, " ".join(title.split())[:60], fields)
        )
    return views


@dataclass(frozen=True)
class BlockKinds:
    """The blocks that can be added."""

    label: str | Promise
    kinds: list[tuple[str, str | Promise]]


def block_kinds() -> list[BlockKinds]:
    texts = [(name, label) for name, label in ADDABLE.items() if name in TEXT_LABELS]
    plugins = [(name, label) for name, label in ADDABLE.items() if name not in TEXT_LABELS]
    return [BlockKinds(_("Text"), texts), BlockKinds(_("Blocks"), plugins)]
