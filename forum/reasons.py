"""The preset reasons in the language of the reader."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.platform.configs.items import Config
from forum.configs.reasons import LANGUAGES, REASONS, reasons_of

# The usual reason for what the filter has found.
PROFANITY = "profanity"
# The first reasons have a key in a card: 1 to 9.
KEYS = 9
NO_REASON_OPTION = '<option value="" disabled hidden selected>{}</option>'


@dataclass(frozen=True)
class ReasonChoices:
    """The text of each preset by its id, in order."""

    texts: dict[str, str]
    _rendered: dict[tuple[str, bool], SafeString] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, config: Config | None) -> ReasonChoices:
        language = (get_language() or "")[:2]
        known = language if language in LANGUAGES else LANGUAGES[0]
        return cls({each["id"]: each[known] for each in reasons_of(REASONS.body_of(config))})

    def options(self, chosen: str = "", *, numbered: bool = False) -> SafeString:
        """The options of a select. Every card of a list has it, so it is rendered once."""
        if (chosen, numbered) not in self._rendered:
            keys = KEYS if numbered else 0
            # Without a likely reason none is selected in advance.
            first = SafeString("") if chosen in self.texts else format_html(NO_REASON_OPTION, _("Choose a reason"))
            lines = (
                (id, SafeString(" selected") if id == chosen else "", f"{number} · {text}" if number <= keys else text)
                for number, (id, text) in enumerate(self.texts.items(), 1)
            )
            self._rendered[chosen, numbered] = first + format_html_join("", '<option value="{}"{}>{}</option>', lines)
        return self._rendered[chosen, numbered]

    @property
    def likely(self) -> str:
        """The preset for what the filter has found."""
        return PROFANITY if PROFANITY in self.texts else ""

    @property
    def options_for_queue(self) -> SafeString:
        return self.options(self.likely)

    def text_of(self, id: str | None, text: str | None) -> str:
        """A stored reason; a preset is shown in the language of the reader."""
        return self.texts.get(id or "") or text or ""
