"""The reasons as the reader chooses from them, and reads them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import get_language

from dashboard.configs.items import Config
from forum.configs.reasons import LANGUAGES, REASONS, reasons_of

# What fits where the filter found something.
FOUL = "profanity"


@dataclass(frozen=True)
class Choices:
    """Each preset's id and its text, in order."""

    texts: dict[str, str]

    @classmethod
    def of(cls, config: Config | None) -> Choices:
        language = (get_language() or "")[:2]
        known = language if language in LANGUAGES else LANGUAGES[0]
        return cls({each["id"]: each[known] for each in reasons_of(REASONS.body_of(config))})

    def read(self, id: str | None, text: str | None) -> str:
        """A reason that was given, in the reader's language where it was a preset."""
        return self.texts.get(id or "") or text or ""
