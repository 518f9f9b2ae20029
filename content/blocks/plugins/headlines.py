"""Plugin blocks with a headline and a call to action."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.blocks.fields import BlockFlag, BlockPicture
from content.blocks.plugins.plugin import (
    BUTTON_LINK,
    BUTTON_TEXT,
    CTA_LINK,
    CTA_TEXT,
    FULL_WIDTH,
    HEADLINE,
    OVERLAY,
    SUBHEADLINE,
    WIDTH,
    Plugin,
    choice_of,
)

HEADLINES = (
    Plugin(
        "hero",
        _("Hero"),
        (
            HEADLINE,
            SUBHEADLINE,
            CTA_TEXT,
            CTA_LINK,
            BlockPicture("imageSrc", _("Address of the picture")),
            choice_of(
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
            choice_of("style", _("Layout"), "simple", simple=_("Plain"), card=_("Card"), band=_("Band")),
            FULL_WIDTH,
        ),
    ),
)
