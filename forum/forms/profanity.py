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
from forum.word_rules import MAX_LENGTH, BadWord, tidy, twin

MAX_TEXT = 10_000


class WordField(LineField):
    """A word or a phrase as it stands in the list."""

    def __init__(self, **options: Any) -> None:
        attrs = {"autocapitalize": "none", "autocomplete": "off", "autocorrect": "off", "spellcheck": "false"}
        # A little more than fits: what is too long is told so, not cut.
        super().__init__(max_length=4 * MAX_LENGTH, widget=forms.TextInput(attrs), **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        try:
            return tidy(text) if text else text
        except BadWord as problem:
            raise forms.ValidationError(str(problem)) from problem


class WordForm(Form):
    """One word, new or changed."""

    word = WordField(label=gettext_lazy("Word or phrase"))
    severity = forms.ChoiceField(
        label=gettext_lazy("Severity"), choices=list(SEVERITIES.items()), initial=Severity.MEDIUM
    )
    matching = forms.ChoiceField(
        label=gettext_lazy("Found as"), choices=list(MATCHINGS.items()), initial=Matching.WHOLE
    )

    def __init__(self, data: Any = None, *, others: list[str], **kwargs: Any) -> None:
        """`others` are the words that are in the list already. A word alone is enough: the rest has a default."""
        usual = {"severity": Severity.MEDIUM.value, "matching": Matching.WHOLE.value}
        super().__init__(data if data is None else usual | data.dict(), **kwargs)
        self.others = others
        # The entry that is the same word, once it was asked for.
        self.same: str | None = None

    def clean_word(self) -> str:
        text: str = self.cleaned_data["word"]
        same = self.same = twin(text, self.others)
        if same is not None:
            raise forms.ValidationError(_("“%(word)s” is in the list already.") % {"word": same})
        return text

    @property
    def wanted(self) -> Word:
        data = self.cleaned_data
        return Word(data["word"], Severity(data["severity"]), Matching(data["matching"]))


class AllowedForm(Form):
    """A word to let through."""

    word = WordField(label=gettext_lazy("Word or phrase to let through"))

    def __init__(self, *args: Any, others: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.others = others

    def clean_word(self) -> str:
        text: str = self.cleaned_data["word"]
        same = twin(text, self.others)
        if same is not None:
            raise forms.ValidationError(_("“%(word)s” is let through already.") % {"word": same})
        return text


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
            gettext_lazy("Write a number between 0 and 1, like 0.75."),
        ),
    )


class TryForm(Form):
    """A text to try the filter on. Nothing of it is kept."""

    text = forms.CharField(
        label=gettext_lazy("Try a text"),
        max_length=MAX_TEXT,
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "data-keep": True}),
    )


class ImportForm(Form):
    """Words from a file, or pasted."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("One word a line, a CSV with the columns word, severity and matching, or JSON."),
        widget=forms.ClearableFileInput({"accept": ".csv,.txt,.json,text/csv,text/plain,application/json"}),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste them here"),
        required=False,
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea({"rows": 10, "spellcheck": "false", "autocapitalize": "none"}),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace the whole list: what is not in it is removed"), required=False
    )
    skip = forms.BooleanField(label=gettext_lazy("Leave out the lines that cannot be read"), required=False)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not data.get("file") and not (data.get("text") or "").strip():
            self.add_error("file", _("Choose a file, or paste the words below."))
        return data
