"""The filters of the review queue and of the lists of posts and comments."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.web.ranges import RangeForm
from forum.queries.content_filters import ContentFilter
from forum.word_rules import MAX_LENGTH

FILTERS = ("q", "author", "word", "score", "since", "until")
MAX_AUTHOR = 300
_PLAIN = {"spellcheck": "false", "autocapitalize": "none"}


class ContentFilterForm(RangeForm):
    author = forms.CharField(
        label=_("Author (e-mail or name)"), max_length=MAX_AUTHOR, required=False, widget=forms.TextInput(_PLAIN)
    )
    word = forms.CharField(
        label=_("Word of the filter"), max_length=MAX_LENGTH, required=False, widget=forms.TextInput(_PLAIN)
    )
    score = forms.DecimalField(
        label=_("Score from"),
        min_value=0,
        max_value=1,
        max_digits=4,
        decimal_places=3,
        required=False,
        widget=forms.NumberInput({"step": "0.05", "min": "0", "max": "1", "inputmode": "decimal"}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places", "max_whole_digits"),
            _("Enter a number between 0 and 1, such as 0.75."),
        ),
    )

    def content_filter(self, q: str) -> ContentFilter:
        """The valid filters. An invalid one is shown with its error and does not filter."""
        self.is_valid()
        given: dict[str, Any] = {"since": None, "until": None} | self.cleaned_data
        self.cleaned_data = given
        since, until = self.bounds
        return ContentFilter(
            given.get("author") or "", given.get("word") or "", float(given.get("score") or 0), since, until, q
        )
