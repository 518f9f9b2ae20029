"""Plugin blocks that the site fills with pages or products, or that visitors fill in."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from content.blocks.fields import BlockField, BlockFlag, BlockNumber
from content.blocks.plugins.plugin import (
    BUTTON_TEXT,
    COLUMNS,
    CTA_TEXT,
    DESCRIPTION,
    HEADLINE,
    TAGS,
    WIDTH,
    Plugin,
    choice_of,
)

INTERACTIVE = (
    Plugin(
        "postGrid",
        _("List of pages"),
        (
            HEADLINE,
            BlockField("filterTag", _("Only pages with the tag")),
            BlockNumber("limit", _("How many"), 6, minimum=1, maximum=50),
            BlockFlag("showImages", _("With pictures"), True),
            choice_of("layout", _("Layout"), "grid", grid=_("Grid"), list=_("List")),
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
