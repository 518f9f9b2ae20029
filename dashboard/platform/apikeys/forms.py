"""What people type about API keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.platform.apikeys import origins
from dashboard.platform.apikeys.items import USUAL_LIMIT
from dashboard.web.forms import Form, LineField, RevisionField

MAX_LIMIT = 10_000


class OriginsField(forms.CharField):
    """Sites, one a line; each once, as browsers write it."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"})

    def __init__(self) -> None:
        super().__init__(
            label=_("Allowed origins"),
            max_length=4_000,
            required=False,
            help_text=_(
                "The sites whose pages may use this key in a browser, one a line, such as https://www.example.com. "
                "Leave it empty for a key that only servers use: a browser is refused then."
            ),
        )

    def clean(self, value: Any) -> list[str]:
        lines = [line.strip() for line in str(super().clean(value)).splitlines()]
        wanted = [line for line in lines if line]
        if len(wanted) > origins.MOST:
            raise ValidationError(_("A key can have %(most)s origins.") % {"most": origins.MOST})
        found, wrong = [], []
        for line in wanted:
            try:
                found.append(origins.normalise(line))
            except Refused as refusal:
                wrong.append(str(refusal.text))
        if wrong:
            raise ValidationError(wrong)
        return list(dict.fromkeys(found))


class IssueForm(Form):
    name = LineField(
        label=_("Name"),
        max_length=100,
        help_text=_("Where it is used, such as “Booking page”."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}),
    )
    origins = OriginsField()
    rate_limit = forms.IntegerField(
        label=_("Requests a minute"),
        min_value=1,
        max_value=MAX_LIMIT,
        initial=USUAL_LIMIT,
        help_text=_("What comes beyond that is refused until the minute is over."),
    )


class KeyForm(IssueForm):
    name = LineField(
        label=_("Name"),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    revision = RevisionField()

    item_names = {"origins": "origins_text", "rate_limit": "limit"}
