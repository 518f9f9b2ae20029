"""Forms of the profanity filter."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.web.forms import Form, LineField
from dashboard.web.sheets import MAX_BYTES
from forum.configs.profanity import MATCHINGS, SEVERITIES
from forum.profanity import Matching, Severity, Word
from forum.word_rules import MAX_LENGTH, InvalidWord, clean_word, find_duplicate

MAX_TEXT = 10_000
WORD_ATTRS = {"autocapitalize": "none", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}


class WordField(LineField):
    """A word or a phrase of the list."""

    def __init__(self, **options: Any) -> None:
        # More than the limit, so that a longer word gives an error and is not cut by the browser.
        super().__init__(max_length=4 * MAX_LENGTH, widget=forms.TextInput(WORD_ATTRS), **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        try:
            return clean_word(text) if text else text
        except InvalidWord as problem:
            raise forms.ValidationError(str(problem)) from problem


class WordForm(Form):
    """One word of the list."""

    word = WordField(label=gettext_lazy("Word or phrase"))
    severity = forms.ChoiceField(
        label=gettext_lazy("Severity"), choices=list(SEVERITIES.items()), initial=Severity.MEDIUM
    )
    matching = forms.ChoiceField(label=gettext_lazy("Matches"), choices=list(MATCHINGS.items()), initial=Matching.WHOLE)

    def __init__(self, data: Any = None, *, existing: list[str], **kwargs: Any) -> None:
        """`existing` are the words in the list. Severity and matching are optional."""
        defaults = {"severity": Severity.MEDIUM.value, "matching": Matching.WHOLE.value}
        super().__init__(data if data is None else defaults | data.dict(), **kwargs)
        self.existing = existing

    def clean_word(self) -> str:
        text: str = self.cleaned_data["word"]
        duplicate = find_duplicate(text, self.existing)
        if duplicate is not None:
            raise forms.ValidationError(_("“%(word)s” is already in the list.") % {"word": duplicate})
        return text

    @property
    def entry(self) -> Word:
        data = self.cleaned_data
        return Word(data["word"], Severity(data["severity"]), Matching(data["matching"]))


class ThresholdForm(Form):
    threshold = forms.DecimalField(
        label=gettext_lazy("Ban automatically from a score of"),
        min_value=0,
        max_value=1,
        max_digits=4,
        decimal_places=3,
        widget=forms.NumberInput({"step": "0.01", "inputmode": "decimal"}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            gettext_lazy("Enter a number between 0 and 1, such as 0.75."),
        ),
    )


class TryForm(Form):
    """A text to try the filter on. It is not stored."""

    text = forms.CharField(
        label=gettext_lazy("Try a text"),
        max_length=MAX_TEXT,
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "data-keep-text": True}),
    )


class WordlistImportForm(Form):
    """Words from a file, or pasted."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("One word per line, a CSV with the columns word, severity and matching, or JSON."),
        widget=forms.ClearableFileInput({"accept": ".csv,.txt,.json,text/csv,text/plain,application/json"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste words here"),
        required=False,
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea({"rows": 10, "spellcheck": "false", "autocapitalize": "none"}),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace the whole list: words that are not in the file are removed"), required=False
    )
    split = forms.BooleanField(
        label=gettext_lazy("Lines with commas are lists: add each word separately"), required=False
    )
    skip = forms.BooleanField(label=gettext_lazy("Skip lines with errors"), required=False)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not data.get("file") and not (data.get("text") or "").strip():
            self.add_error("file", _("Choose a file or paste words below."))
        return data
