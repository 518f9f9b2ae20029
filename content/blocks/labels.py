"""The names of blocks on the screen."""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.blocks.nodes import (
    BULLETS,
    HEADING,
    NUMBERS,
    PARAGRAPH,
    QUOTE,
    RULE,
    TEXT_NODES,
    attrs_of,
    text_of,
    type_of,
)
from content.blocks.plugins import PLUGINS

TEXT_LABELS = {
    PARAGRAPH: _("Paragraph"),
    HEADING: _("Heading"),
    BULLETS: _("Bulleted list"),
    NUMBERS: _("Numbered list"),
    QUOTE: pgettext_lazy("block", "Quote"),
    RULE: _("Dividing line"),
}
UNKNOWN_LABEL = _("Unknown block")
# The attributes that name a plugin block, the first one that has a text.
_TITLES = ("headline", "title", "alt", "caption", "filename", "categoryName", "content", "code", "url", "src")
_TITLE_LENGTH = 80

# The blocks that a person can add, in the order of the menu.
ADDABLE: dict[str, str | Promise] = {**TEXT_LABELS, **{name: plugin.label for name, plugin in PLUGINS.items()}}


def label_of(node: Any) -> str | Promise:
    return ADDABLE.get(type_of(node)) or type_of(node) or UNKNOWN_LABEL


def title_of(node: Any) -> str:
    """The beginning of the text of a block."""
    attrs = attrs_of(node)
    texts = (attrs.get(name) for name in _TITLES) if type_of(node) not in TEXT_NODES else iter([text_of(node)])
    text = next((" ".join(each.split()) for each in texts if isinstance(each, str) and each.strip()), "")
    return text if len(text) <= _TITLE_LENGTH else f"{text[:_TITLE_LENGTH]}…"
