"""The reasons as the reader chooses from them, and reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from dashboard.configs.items import Config
from forum.configs.reasons import LANGUAGES, REASONS, reasons_of

# What fits where the filter found something.
FOUL = "profanity"


@dataclass(frozen=True)
class Choices:
    """Each preset's id and its text, in order."""

    texts: dict[str, str]
    _written: dict[str, SafeString] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, config: Config | None) -> Choices:
        language = (get_language() or "")[:2]
        known = language if language in LANGUAGES else LANGUAGES[0]
        return cls({each["id"]: each[known] for each in reasons_of(REASONS.body_of(config))})

    def options(self, chosen: str = "") -> SafeString:
        """The options of a select, which stands in every card of a list: written once for all."""
        if chosen not in self._written:
            lines = ((id, SafeString(" selected") if id == chosen else "", text) for id, text in self.texts.items())
            self._written[chosen] = format_html_join("", '<option value="{}"{}>{}</option>', lines)
        return self._written[chosen]

    def read(self, id: str | None, text: str | None) -> str:
        """A reason that was given, in the reader's language where it was a preset."""
        return self.texts.get(id or "") or text or ""
