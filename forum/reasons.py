"""The reasons as the reader chooses from them, and reads them."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.platform.configs.items import Config
from forum.configs.reasons import LANGUAGES, REASONS, reasons_of

# What most is banned for that the filter found.
FOUL = "profanity"
# So many have a key of their own in a card: 1 to 9.
KEYS = 9
NONE = '<option value="" disabled hidden selected>{}</option>'


@dataclass(frozen=True)
class Choices:
    """Each preset's id and its text, in order."""

    texts: dict[str, str]
    _written: dict[tuple[str, bool], SafeString] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, config: Config | None) -> Choices:
        language = (get_language() or "")[:2]
        known = language if language in LANGUAGES else LANGUAGES[0]
        return cls({each["id"]: each[known] for each in reasons_of(REASONS.body_of(config))})

    def options(self, chosen: str = "", *, numbered: bool = False) -> SafeString:
        """The options of a select, which stands in every card of a list: written once for all."""
        if (chosen, numbered) not in self._written:
            keys = KEYS if numbered else 0
            # Nobody is banned for a reason that nobody chose.
            first = SafeString("") if chosen in self.texts else format_html(NONE, _("Choose a reason"))
            lines = (
                (id, SafeString(" selected") if id == chosen else "", f"{number} · {text}" if number <= keys else text)
                for number, (id, text) in enumerate(self.texts.items(), 1)
            )
            self._written[chosen, numbered] = first + format_html_join("", '<option value="{}"{}>{}</option>', lines)
        return self._written[chosen, numbered]

    @property
    def likely(self) -> str:
        """What fits where the filter has found something."""
        return FOUL if FOUL in self.texts else ""

    @property
    def options_of_the_queue(self) -> SafeString:
        return self.options(self.likely)

    def read(self, id: str | None, text: str | None) -> str:
        """A reason that was given, in the reader's language where it was a preset."""
        return self.texts.get(id or "") or text or ""
