"""The forms that add words to the filter's lists: one word, several words, or a word with its columns."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.web.forms import Form, LineField
from forum.configs.profanity import MATCHINGS, SEVERITIES, allowed_entry, value_of, word_entry
from forum.forms.profanity import WORD_ATTRS
from forum.profanity import Matching, Severity, Word
from forum.word_columns import WordColumns, find_columns, split_words
from forum.word_rules import InvalidWord, clean_word, find_duplicate

MAX_INPUT = 2_000
# The answers to the question whether a text is several words.
EACH_WORD, ONE_PHRASE = "words", "phrase"


class WordsField(LineField):
    """The text with the new words."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_INPUT, widget=forms.TextInput(WORD_ATTRS), **options)


class WordsForm(Form):
    """New words for a list. A text such as `one, two` is added after the person has said how it is meant."""

    def __init__(self, data: Any = None, *, existing: list[str], **kwargs: Any) -> None:
        """`existing` are the words in the list."""
        super().__init__(data, **kwargs)
        self.existing = existing
        self.answer = data.get("split", "") if data else ""
        # Set by validation: the words that the text may be, the listed word that is the same, the entries to add
        # with their words, and the words that the list already has.
        self.possible_words: list[str] = []
        self.duplicate: str | None = None
        self.values: dict[str, Any] = {}
        self.added: list[str] = []
        self.listed: list[str] = []

    def entry_of(self, word: str) -> tuple[str, Any]:
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        text = self.cleaned_data.get("word")
        if text and not self.errors:
            try:
                self._add_text(text)
            except (InvalidWord, forms.ValidationError) as problem:
                self.add_error("word", problem if isinstance(problem, forms.ValidationError) else str(problem))
        return self.cleaned_data

    def _add_text(self, text: str) -> None:
        words = self.possible_words = split_words(text)
        if len(words) > 1 and self.answer not in (EACH_WORD, ONE_PHRASE):
            question = ngettext("Is this %(count)s word?", "Are these %(count)s words?", len(words))
            raise forms.ValidationError(question % {"count": len(words)})
        self.possible_words = []
        self._add(words if self.answer == EACH_WORD else [text])

    def _add(self, words: list[str]) -> None:
        cleaned = [clean_word(word) for word in words]
        found = {word: find_duplicate(word, self.existing) for word in cleaned}
        self.added = [word for word, duplicate in found.items() if duplicate is None]
        self.listed = [duplicate for duplicate in found.values() if duplicate is not None]
        if not self.added:
            self.duplicate = self.listed[0]
            raise forms.ValidationError(self.duplicate_text % {"word": ", ".join(self.listed)})
        self.values = dict(self.entry_of(word) for word in self.added)

    @property
    def duplicate_text(self) -> str:
        return _("“%(word)s” is already in the list.")


class AddWordsForm(WordsForm):
    """New words with their severity. A text such as `word;high;whole` has its own."""

    word = WordsField(label=gettext_lazy("Word or phrase"))
    severity = forms.ChoiceField(
        label=gettext_lazy("Severity"), choices=list(SEVERITIES.items()), initial=Severity.MEDIUM
    )
    matching = forms.ChoiceField(label=gettext_lazy("Matches"), choices=list(MATCHINGS.items()), initial=Matching.WHOLE)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        """Severity and matching are optional."""
        defaults = {"severity": Severity.MEDIUM.value, "matching": Matching.WHOLE.value}
        super().__init__(data if data is None else defaults | data.dict(), **kwargs)

    def entry_of(self, word: str) -> tuple[str, Any]:
        data = self.cleaned_data
        return word_entry(word), value_of(Word(word, Severity(data["severity"]), Matching(data["matching"])))

    def _add_text(self, text: str) -> None:
        columns = find_columns(text)
        if columns is None:
            super()._add_text(text)
        elif columns.is_allowed:
            name, value = columns.to_entry()
            self.added, self.values = [columns.word], {name: value}
        else:
            self._use(columns)
            self._add([columns.word])

    def _use(self, columns: WordColumns) -> None:
        """Take severity and matching from the text where it has them."""
        if columns.severity:
            self.cleaned_data["severity"] = columns.parse_severity()
        if columns.matching:
            self.cleaned_data["matching"] = columns.parse_matching()


class AddAllowedForm(WordsForm):
    """New allowed words."""

    word = WordsField(label=gettext_lazy("Allowed word or phrase"))

    def entry_of(self, word: str) -> tuple[str, Any]:
        return allowed_entry(word), True

    @property
    def duplicate_text(self) -> str:
        return _("“%(word)s” is already an allowed word.")
