"""Plugin blocks with a picture, a video or code."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.blocks.fields import BlockChoice, BlockCode, BlockField, BlockFlag, BlockPicture
from content.blocks.plugins.plugin import WIDTH, Plugin, choice_of

MEDIA = (
    Plugin(
        "image",
        _("Picture"),
        (
            BlockPicture("src", _("Address of the picture")),
            BlockField("alt", _("Description for people who cannot see it")),
            BlockField("title", _("Title")),
            BlockField("caption", _("Caption")),
            choice_of(
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
            choice_of(
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
)
