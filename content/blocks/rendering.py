"""The blocks of a page as HTML for the preview. Only known values of known types are used, and only safe addresses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from content.blocks.addresses import safe_address, safe_source
from content.blocks.fields import (
    BlockCells,
    BlockChoice,
    BlockField,
    BlockFlag,
    BlockItems,
    BlockLink,
    BlockNumber,
    BlockPicture,
)
from content.blocks.inline_markup import Originals
from content.blocks.labels import UNKNOWN_LABEL, label_of
from content.blocks.markup import parse_markup
from content.blocks.nodes import (
    BULLETS,
    HEADING,
    LINE_BREAK,
    LINK,
    LIST_ITEM,
    NUMBERS,
    PARAGRAPH,
    QUOTE,
    RULE,
    STANDARD_NODES,
    TEXT,
    Document,
    attrs_of,
    children_of,
    heading_level,
    marks_of,
    type_of,
)
from content.blocks.plugins import PLUGINS

_TAGS = {"bold": "strong", "italic": "em", "underline": "u", "strike": "s", "code": "code"}
_CONTAINERS = {PARAGRAPH: "p", BULLETS: "ul", LIST_ITEM: "li", QUOTE: "blockquote"}
_MAX_LINES = 2_000
# The texts above the content of most blocks.
_HEAD = ("headline", "subheadline", "description")


@dataclass(frozen=True)
class RenderedBlock:
    """One block of the preview: its HTML, or the template of its type with cleaned values."""

    number: int
    type: str
    label: str | Promise
    html: SafeString | None = None
    template: str = ""
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def width(self) -> str:
        return str(self.values.get("blockWidth", ""))


def render(document: Document | None) -> list[RenderedBlock]:
    return [_render_block(node, number) for number, node in enumerate(document or [], start=1)]


def _render_block(node: Any, number: int) -> RenderedBlock:
    kind, label = type_of(node), label_of(node) or UNKNOWN_LABEL
    if kind in STANDARD_NODES:
        return RenderedBlock(number, kind, label, html=render_node(node))
    if kind not in PLUGINS:
        return RenderedBlock(number, kind, label, template="content/preview/unknown.html")
    values = dict.fromkeys(_HEAD, "") | clean_values(attrs_of(node), PLUGINS[kind].fields)
    if kind == "markdown":
        lines = str(values["content"]).replace("\r\n", "\n").split("\n")[:_MAX_LINES]
        return RenderedBlock(number, kind, label, html=_join(parse_markup("\n".join(lines), Originals([]))))
    return RenderedBlock(number, kind, label, template=f"content/preview/{kind}.html", values=values)


def render_node(node: Any) -> SafeString:
    """A standard node as HTML. Unknown nodes in it are left out, the text under unknown marks stays."""
    kind = type_of(node)
    if kind == TEXT:
        return _render_text(str(node.get("text") or ""), marks_of(node))
    if kind == LINE_BREAK:
        return SafeString("<br>")
    if kind == RULE:
        return SafeString("<hr>")
    if kind == HEADING:
        level = heading_level(node)
        return format_html("<h{}>{}</h{}>", level, _join(children_of(node)), level)
    if kind == NUMBERS:
        start = attrs_of(node).get("start")
        return format_html('<ol start="{}">{}</ol>', _whole_number(start), _join(children_of(node)))
    if kind in _CONTAINERS:
        return format_html("<{0}>{1}</{0}>", _CONTAINERS[kind], _join(children_of(node)))
    return SafeString("")


def _whole_number(value: Any) -> int:
    return int(value) if isinstance(value, int | float | Decimal) and -1_000_000 < value < 1_000_000 else 1


def _join(nodes: list[Any]) -> SafeString:
    return format_html_join("", "{}", ((render_node(node),) for node in nodes))


def _render_text(text: str, marks: list[Any]) -> SafeString:
    html = format_html("{}", text)
    for mark in reversed(marks):
        kind = type_of(mark)
        if kind in _TAGS:
            html = format_html("<{0}>{1}</{0}>", _TAGS[kind], html)
        elif kind == LINK and (href := safe_address(attrs_of(mark).get("href"))):
            html = format_html('<a href="{}" rel="noopener noreferrer">{}</a>', href, html)
    return html


def clean_values(values: Mapping[str, Any], fields: Sequence[BlockField]) -> dict[str, Any]:
    """The values that the templates use, by the names of the fields, each of the type of its field."""
    return {each.name: _clean(values.get(each.name), each) for each in fields}


def _clean(value: Any, each: BlockField) -> Any:
    if isinstance(each, BlockItems):
        items = value if isinstance(value, list) else []
        return [clean_values(item, each.fields) for item in items if isinstance(item, dict)]
    if isinstance(each, BlockCells):
        return _clean_cells(value, is_header=each.is_header)
    if isinstance(each, BlockFlag):
        return value if isinstance(value, bool) else each.default
    if isinstance(each, BlockPicture):
        return safe_source(value)
    if isinstance(each, BlockLink):
        return safe_address(value)
    if isinstance(each, BlockNumber):
        return _clean_number(value, each)
    text = each.form_text(value) or ""
    if isinstance(each, BlockChoice):
        return text if text in {key for key, _label in each.choices} else each.default
    return text


def _clean_number(value: Any, each: BlockNumber) -> Any:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return each.default
    return max(each.minimum, min(number, each.maximum)) if number.is_finite() else each.default


def _clean_cells(value: Any, *, is_header: bool) -> list[Any]:
    found = value if isinstance(value, list) else []
    if is_header:
        return [str(cell) if isinstance(cell, str | int | Decimal) else "" for cell in found]
    rows = [row.get("cells") for row in found if isinstance(row, dict)]
    return [
        [str(cell.get("content") or "") if isinstance(cell, dict) else "" for cell in cells]
        for cells in rows
        if isinstance(cells, list)
    ]
