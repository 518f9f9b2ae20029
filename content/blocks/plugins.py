"""The plugin blocks of the website service, each declared once: for forms, labels, previews and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.blocks.fields import (
    BlockCells,
    BlockChoice,
    BlockCode,
    BlockField,
    BlockFlag,
    BlockItems,
    BlockLink,
    BlockNumber,
    BlockPicture,
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


def _choice(name: str, label: Promise, default: str, **labels: Promise) -> BlockChoice:
    return BlockChoice(name, label, default, choices=tuple(labels.items()))


def _items(
    label: Promise, item_label: Promise, *fields: BlockField, name: str = "items", title: str = "title"
) -> BlockItems:
    return BlockItems(name, label, fields=fields, item_label=item_label, title=title)


PLUGINS = {
    plugin.type: plugin
    for plugin in (
        Plugin(
            "hero",
            _("Hero"),
            (
                HEADLINE,
                SUBHEADLINE,
                CTA_TEXT,
                CTA_LINK,
                BlockPicture("imageSrc", _("Address of the picture")),
                _choice(
                    "style",
                    _("Layout"),
                    "center",
                    center=_("Centred"),
                    split=_("Text beside the picture"),
                    minimal=_("Plain"),
                    cover=_("Text over the picture"),
                ),
                *OVERLAY,
                WIDTH,
            ),
        ),
        Plugin(
            "videoHero",
            _("Video hero"),
            (
                HEADLINE,
                SUBHEADLINE,
                BlockPicture("videoSrc", _("Address of the video")),
                BlockPicture("posterSrc", _("Picture before the video starts")),
                CTA_TEXT,
                CTA_LINK,
                *OVERLAY,
                BlockFlag("muted", _("Without sound"), True),
                BlockFlag("loop", _("Repeat"), True),
                FULL_WIDTH,
            ),
        ),
        Plugin(
            "cta",
            _("Call to action"),
            (
                HEADLINE,
                SUBHEADLINE,
                BUTTON_TEXT,
                BUTTON_LINK,
                _choice("style", _("Layout"), "simple", simple=_("Plain"), card=_("Card"), band=_("Band")),
                FULL_WIDTH,
            ),
        ),
        Plugin(
            "features",
            _("Features"),
            (
                HEADLINE,
                SUBHEADLINE,
                _items(
                    _("Features"),
                    _("Feature"),
                    BlockField("title", _("Title")),
                    DESCRIPTION,
                    BlockField("icon", _("Name of the icon"), help_text=_("A name from lucide.dev, such as Heart")),
                ),
                COLUMNS,
                _choice("layout", _("Layout"), "stacked", stacked=_("Icon above"), inline=_("Icon beside the text")),
                _choice("iconSize", _("Size of the icons"), "md", sm=_("Small"), md=_("Medium"), lg=_("Large")),
                WIDTH,
            ),
        ),
        Plugin(
            "pricing",
            _("Prices"),
            (
                HEADLINE,
                SUBHEADLINE,
                _items(
                    _("Plans"),
                    _("Plan"),
                    BlockField("title", _("Title")),
                    BlockField("price", _("Price")),
                    BlockField("interval", _("Per"), help_text=_("For example: month")),
                    BlockText("features", _("What is included"), max_length=4000, help_text=_("One line for each")),
                    BUTTON_TEXT,
                    BUTTON_LINK,
                    BlockFlag("highlight", _("Highlighted")),
                    name="plans",
                ),
                WIDTH,
            ),
        ),
        Plugin(
            "testimonials",
            _("Testimonials"),
            (
                HEADLINE,
                SUBHEADLINE,
                _items(
                    _("Testimonials"),
                    _("Testimonial"),
                    BlockText("quote", pgettext_lazy("testimonial", "Quote"), max_length=2000),
                    BlockField("author", _("Name")),
                    BlockField("role", _("Who they are")),
                    BlockPicture("avatar", _("Address of the picture")),
                    title="author",
                ),
                _choice("style", _("Layout"), "grid", grid=_("Grid"), slider=_("Slider"), minimal=_("Plain")),
                FULL_WIDTH,
            ),
        ),
        Plugin(
            "faq",
            _("Questions and answers"),
            (
                HEADLINE,
                _items(
                    _("Questions"),
                    _("Question"),
                    BlockField("question", _("Question")),
                    BlockText("answer", _("Answer"), max_length=4000),
                    title="question",
                ),
                WIDTH,
            ),
        ),
        Plugin(
            "columns",
            _("Columns"),
            (
                _items(
                    _("Columns"),
                    _("Column"),
                    BlockText("content", _("Text")),
                    BlockChoice(
                        "width",
                        _("Width"),
                        "1/2",
                        choices=[(width, width) for width in ("1/4", "1/3", "1/2", "2/3", "3/4", "auto")],
                    ),
                    name="columns",
                    title="content",
                ),
                BlockChoice("columnCount", _("Number of columns"), "2", choices=[(each, each) for each in "234"]),
                _choice("gap", _("Space between"), "md", sm=_("Small"), md=_("Medium"), lg=_("Large")),
                WIDTH,
            ),
        ),
        Plugin(
            "table",
            _("Table"),
            (
                BlockCells(
                    "headers",
                    _("Headers"),
                    is_header=True,
                    max_length=2000,
                    help_text=_("Separate the columns with | , for example: Size | Price"),
                ),
                BlockCells("rows", _("Rows"), help_text=_("One line for each row, the same number of columns")),
                BlockFlag("striped", _("Striped rows")),
                BlockFlag("bordered", _("Borders"), True),
                WIDTH,
            ),
        ),
        Plugin(
            "carousel",
            _("Carousel"),
            (
                HEADLINE,
                _items(
                    _("Slides"),
                    _("Slide"),
                    BlockField("title", _("Title")),
                    DESCRIPTION,
                    BlockPicture("image", _("Address of the picture")),
                    BlockLink("link", _("Link")),
                    BlockField("linkText", _("Text of the link")),
                ),
                _choice("height", _("Height"), "medium", small=_("Small"), medium=_("Medium"), large=_("Large")),
                _choice("style", _("Layout"), "standard", standard=_("Standard"), coverflow=_("Overlapping")),
                _choice(
                    "cardFormat",
                    _("Shape of the cards"),
                    "square",
                    square=_("Square"),
                    portrait=_("Tall"),
                    wide=_("Wide"),
                ),
                FULL_WIDTH,
            ),
        ),
        Plugin(
            "reviewsCarousel",
            _("Reviews"),
            (
                HEADLINE,
                _items(
                    _("Reviews"),
                    _("Review"),
                    BlockField("name", _("Name")),
                    BlockPicture("avatarUrl", _("Address of the picture")),
                    BlockField("date", _("Date")),
                    BlockNumber("rating", _("Stars"), 5, minimum=1, maximum=5),
                    BlockText("text", _("Text"), max_length=4000),
                    BlockField("source", _("Source")),
                    title="name",
                ),
                BlockFlag("showSource", _("Show the source"), True),
                BlockFlag("autoScroll", _("Scroll automatically")),
                BlockNumber("maxLines", _("Lines of text"), 4, minimum=1, maximum=40),
                WIDTH,
            ),
        ),
        Plugin(
            "image",
            _("Picture"),
            (
                BlockPicture("src", _("Address of the picture")),
                BlockField("alt", _("Description for people who cannot see it")),
                BlockField("title", _("Title")),
                BlockField("caption", _("Caption")),
                _choice(
                    "width", _("Width"), "full", full=_("Full width"), wide=_("Wide"), content=_("As wide as the text")
                ),
                BlockChoice(
                    "aspectRatio",
                    _("Proportions"),
                    "auto",
                    choices=[("auto", _("Automatic")), *((each, each) for each in ("16/9", "4/3", "1/1", "3/4"))],
                ),
                WIDTH,
            ),
        ),
        Plugin(
            "video",
            _("Video"),
            (
                BlockPicture("url", _("Address of the video")),
                BlockField("caption", _("Caption")),
                _choice(
                    "width", _("Width"), "full", full=_("Full width"), wide=_("Wide"), content=_("As wide as the text")
                ),
                BlockFlag("autoplay", _("Start automatically")),
                WIDTH,
            ),
        ),
        Plugin(
            "html",
            _("HTML"),
            (
                BlockCode("content", _("HTML"), max_length=50_000),
                BlockFlag("isSandboxed", _("Keep apart from the page"), True),
                WIDTH,
            ),
        ),
        Plugin("markdown", _("Markdown"), (BlockCode("content", _("Markdown"), max_length=50_000), WIDTH)),
        Plugin(
            "codeBlock",
            _("Code"),
            (
                BlockCode("code", _("Code"), max_length=50_000),
                BlockField("language", _("Language")),
                BlockField("filename", _("File name")),
                BlockFlag("showLineNumbers", _("Line numbers"), True),
                WIDTH,
            ),
        ),
        Plugin(
            "postGrid",
            _("List of pages"),
            (
                HEADLINE,
                BlockField("filterTag", _("Only pages with the tag")),
                BlockNumber("limit", _("How many"), 6, minimum=1, maximum=50),
                BlockFlag("showImages", _("With pictures"), True),
                _choice("layout", _("Layout"), "grid", grid=_("Grid"), list=_("List")),
                COLUMNS,
                WIDTH,
            ),
        ),
        Plugin(
            "contact",
            _("Contact form"),
            (
                HEADLINE,
                DESCRIPTION,
                BUTTON_TEXT,
                BlockField("successMessage", _("Text after sending")),
                TAGS,
                WIDTH,
            ),
        ),
        Plugin(
            "leadMagnet",
            _("Download for an e-mail address"),
            (
                HEADLINE,
                DESCRIPTION,
                BUTTON_TEXT,
                BlockField("resourceId", _("Id of the file")),
                TAGS,
                WIDTH,
            ),
        ),
        Plugin(
            "categoryShowcase",
            _("Products of a category"),
            (
                BlockField("categoryId", _("Id of the category")),
                BlockField("categoryName", _("Name of the category")),
                BlockField("categorySlug", _("Web address name")),
                BlockNumber("limit", _("How many"), 4, minimum=1, maximum=50),
                replace(COLUMNS, default="4"),
                BlockFlag("showPrice", _("With prices"), True),
                CTA_TEXT,
                WIDTH,
            ),
        ),
    )
}


def fields_of(attrs: dict[str, Any], fields: tuple[BlockField, ...]) -> Iterator[tuple[BlockField, str]]:
    """The fields whose stored values can be edited, with their texts."""
    for field in fields:
        text = field.form_text(attrs.get(field.name))
        if text is not None:
            yield field, text
