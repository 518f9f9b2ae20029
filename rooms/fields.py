"""The fields of a version of a room's content (dashboard/web/fields.py)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from dashboard.web.fields import Field, Fields, LenientChoiceField
from dashboard.web.forms import LineField
from rooms import vimeo
from rooms.items import RoomContent

MAX_TITLE = 200
TYPES: dict[str, Promise] = {"video": _("Video"), "live": _("Live stream")}


class VideoField(LineField):
    """The address of a Vimeo video in any form. `stored_address` is an unknown address that a copy may keep."""

    stored_address = ""

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        video = vimeo.parse_video(text)
        if video is not None:
            return video.address
        if text and text == self.stored_address:
            return text
        raise forms.ValidationError(gettext("Enter the address of a Vimeo video, such as https://vimeo.com/123456789."))


CONTENT_FIELDS = Fields(
    RoomContent,
    Field(
        "title",
        LineField(label=_("Title"), max_length=MAX_TITLE, widget=forms.TextInput({"autocomplete": "off"})),
        audit_label=_("title"),
    ),
    Field("type", LenientChoiceField(label=_("Type"), choices=list(TYPES.items())), audit_label=_("type")),
    Field(
        "address",
        VideoField(
            label=_("Video"),
            max_length=2 * MAX_TITLE,
            help_text=_("Address on Vimeo, such as https://vimeo.com/123456789."),
            widget=forms.TextInput(
                {"inputmode": "url", "autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}
            ),
        ),
        audit_label=_("video"),
        audit_name="video",
        attribute="vimeo_url",
    ),
    # The form has a date, a time and a time zone instead.
    Field(
        "open_at",
        forms.DateTimeField(label=_("Prepared for"), required=False),
        audit_label=_("opening"),
        audit_name="opening",
    ),
)
