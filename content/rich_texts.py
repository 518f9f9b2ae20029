"""What the rich text editor of pages says: its tools, and what a paste dropped."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from content.blocks.labels import TEXT_LABELS


@dataclass(frozen=True)
class RichTool:
    """One button of the toolbar. It shows an icon or a sign."""

    name: str
    label: str | Promise
    sign: str = ""
    icon: str = ""
    # As people read it, and as browsers do.
    keys: str = ""
    shortcut: str = ""
    is_toggle: bool = True


RICH_TOOLS = (
    RichTool("bold", gettext_lazy("Bold"), "B", keys="Ctrl B", shortcut="Control+B"),
    RichTool("italic", gettext_lazy("Italic"), "I", keys="Ctrl I", shortcut="Control+I"),
    RichTool("underline", gettext_lazy("Underline"), "U", keys="Ctrl U", shortcut="Control+U"),
    RichTool("strike", gettext_lazy("Strike through"), "S", keys="Ctrl Shift S", shortcut="Control+Shift+S"),
    RichTool("code", gettext_lazy("Code"), "<>", keys="Ctrl E", shortcut="Control+E"),
    RichTool("link", pgettext_lazy("tool", "Link"), icon="link", keys="Ctrl K", shortcut="Control+K"),
    RichTool("bulletList", gettext_lazy("Bulleted list"), icon="list", keys="Ctrl Shift 8", shortcut="Control+Shift+8"),
    RichTool("orderedList", gettext_lazy("Numbered list"), "1.", keys="Ctrl Shift 7", shortcut="Control+Shift+7"),
    RichTool("blockquote", pgettext_lazy("block", "Quote"), "❞", keys="Ctrl Shift B", shortcut="Control+Shift+B"),
    RichTool("undo", gettext_lazy("Undo"), icon="undo-2", keys="Ctrl Z", shortcut="Control+Z", is_toggle=False),
)


def block_labels() -> str:
    """The names of text blocks by type."""
    return json.dumps({name: str(label) for name, label in TEXT_LABELS.items()})


def rich_texts() -> str:
    """The texts that scripts show; those with two forms are for one and for several."""
    return json.dumps(
        {
            "dropped": _("Dropped from the paste: #."),
            "picture": [_("# picture"), _("# pictures")],
            "table": [_("# table (its text was kept)"), _("# tables (their text was kept)")],
            "media": [_("# video, sound or embedded page"), _("# videos, sounds or embedded pages")],
            "field": [_("# form field"), _("# form fields")],
            "link": [_("# link with an unsafe address"), _("# links with an unsafe address")],
            "note": [_("# comment"), _("# comments")],
            "style": _("colours and fonts"),
            "align": _("alignment"),
            "script": _("raised and lowered text"),
            "badAddress": _("Enter a web address, an e-mail address with mailto: or a page such as /contact."),
            "failed": _("The picture could not be uploaded. Try again."),
            "tooLarge": _("This file is larger than 5 MB. Reduce its size or export it as JPEG."),
            "unsupported": _("Only pictures can be dropped here."),
            "engine": _("The rich text editor could not be loaded. The text is shown with its marks."),
            "conflict": _("The text could not be shown in the editor."),
        }
    )
