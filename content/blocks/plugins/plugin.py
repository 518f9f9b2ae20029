"""What the plugin blocks have in common: their class, and the fields that several of them have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.blocks.fields import (
    BlockCells,
    BlockChoice,
    BlockField,
    BlockItems,
    BlockLink,
    BlockNumber,
    BlockText,
)


@dataclass(frozen=True)
class Plugin:
    """A kind of block. `fields` are those that people edit; all other attributes are kept."""

    type: str
    label: Promise
    fields: tuple[BlockField, ...]

    def new_attrs(self) -> dict[str, Any]:
        """The attributes of a new block."""
        return {field.name: new_value(field) for field in self.fields}

    def field(self, name: str) -> BlockField | None:
        return next((field for field in self.fields if field.name == name), None)


def new_value(field: BlockField) -> Any:
    return [] if isinstance(field, BlockItems | BlockCells) else field.default


HEADLINE = BlockField("headline", _("Headline"))
SUBHEADLINE = BlockText("subheadline", _("Text below the headline"), max_length=2000)
DESCRIPTION = BlockText("description", _("Description"), max_length=2000)
BUTTON_TEXT = BlockField("buttonText", _("Text of the button"))
BUTTON_LINK = BlockLink("buttonLink", _("Link of the button"))
CTA_TEXT = BlockField("ctaText", _("Text of the button"))
CTA_LINK = BlockLink("ctaLink", _("Link of the button"))
TAGS = BlockField("tags", _("Tags of the leads"))
COLUMNS = BlockChoice("columns", _("Columns"), "3", choices=[(str(number), str(number)) for number in range(2, 7)])
_WIDTHS = (("content", _("As wide as the text")), ("wide", _("Wide")), ("full", _("Full width")))
WIDTH = BlockChoice("blockWidth", _("Width of the block"), "content", choices=_WIDTHS)
FULL_WIDTH = replace(WIDTH, default="full")
_COLOR_TOKENS = [
    ("auto", _("Automatic")),
    ("white", pgettext_lazy("colour", "White")),
    ("black", pgettext_lazy("colour", "Black")),
    ("primary", _("Primary colour")),
]
OVERLAY = (
    BlockNumber(
        "overlayOpacity",
        _("Darkness over the picture"),
        Decimal("0.5"),
        minimum=0,
        maximum=1,
        help_text=_("From 0 to 1"),
    ),
    BlockChoice("overlayColorToken", _("Colour over the picture"), "auto", choices=_COLOR_TOKENS),
    BlockChoice("headlineColorToken", _("Colour of the headline"), "auto", choices=_COLOR_TOKENS),
    BlockChoice("subheadlineColorToken", _("Colour of the text"), "auto", choices=_COLOR_TOKENS),
)


def choice_of(name: str, label: Promise, default: str, **labels: Promise) -> BlockChoice:
    return BlockChoice(name, label, default, choices=tuple(labels.items()))


def items_of(
    label: Promise, item_label: Promise, *fields: BlockField, name: str = "items", title: str = "title"
) -> BlockItems:
    return BlockItems(name, label, fields=fields, item_label=item_label, title=title)
