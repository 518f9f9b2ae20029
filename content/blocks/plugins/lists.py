"""Plugin blocks with a list of things that people write."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.blocks.fields import (
    BlockCells,
    BlockChoice,
    BlockField,
    BlockFlag,
    BlockLink,
    BlockNumber,
    BlockPicture,
    BlockText,
)
from content.blocks.plugins.plugin import (
    BUTTON_LINK,
    BUTTON_TEXT,
    COLUMNS,
    DESCRIPTION,
    FULL_WIDTH,
    HEADLINE,
    SUBHEADLINE,
    WIDTH,
    Plugin,
    choice_of,
    items_of,
)

LISTS = (
    Plugin(
        "features",
        _("Features"),
        (
            HEADLINE,
            SUBHEADLINE,
            items_of(
                _("Features"),
                _("Feature"),
                BlockField("title", _("Title")),
                DESCRIPTION,
                BlockField("icon", _("Name of the icon"), help_text=_("A name from lucide.dev, such as Heart")),
            ),
            COLUMNS,
            choice_of("layout", _("Layout"), "stacked", stacked=_("Icon above"), inline=_("Icon beside the text")),
            choice_of("iconSize", _("Size of the icons"), "md", sm=_("Small"), md=_("Medium"), lg=_("Large")),
            WIDTH,
        ),
    ),
    Plugin(
        "pricing",
        _("Prices"),
        (
            HEADLINE,
            SUBHEADLINE,
            items_of(
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
            items_of(
                _("Testimonials"),
                _("Testimonial"),
                BlockText("quote", pgettext_lazy("testimonial", "Quote"), max_length=2000),
                BlockField("author", _("Name")),
                BlockField("role", _("Who they are")),
                BlockPicture("avatar", _("Address of the picture")),
                title="author",
            ),
            choice_of("style", _("Layout"), "grid", grid=_("Grid"), slider=_("Slider"), minimal=_("Plain")),
            FULL_WIDTH,
        ),
    ),
    Plugin(
        "faq",
        _("Questions and answers"),
        (
            HEADLINE,
            items_of(
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
            items_of(
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
            choice_of("gap", _("Space between"), "md", sm=_("Small"), md=_("Medium"), lg=_("Large")),
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
            items_of(
                _("Slides"),
                _("Slide"),
                BlockField("title", _("Title")),
                DESCRIPTION,
                BlockPicture("image", _("Address of the picture")),
                BlockLink("link", _("Link")),
                BlockField("linkText", _("Text of the link")),
            ),
            choice_of("height", _("Height"), "medium", small=_("Small"), medium=_("Medium"), large=_("Large")),
            choice_of("style", _("Layout"), "standard", standard=_("Standard"), coverflow=_("Overlapping")),
            choice_of(
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
            items_of(
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
)
