"""Presenters of consents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from content.comment_statuses import CommentBadge
from content.items import Consent, ConsentDay
from content.items.consents import CHOICES, OTHER_CHOICE, listed_choice
from dashboard.web.pages import url_or_empty
from dashboard.web.templatetags.ui import day_format

CHOICE_LABELS = {
    "all": pgettext_lazy("cookies", "All accepted"),
    "necessary": pgettext_lazy("cookies", "Necessary only"),
    "denied": pgettext_lazy("cookies", "Denied"),
    OTHER_CHOICE: pgettext_lazy("cookies", "Other choice"),
}
_LEVELS = {"all": ("good", "circle-check"), "necessary": ("info", "info"), "denied": ("bad", "circle-x")}


@dataclass(frozen=True)
class ConsentRow:
    """A consent in a list, with its proof."""

    business: str
    consent: Consent

    @property
    def url(self) -> str:
        return url_or_empty("consents_of", self.business, self.consent.visitor)

    @property
    def badge(self) -> CommentBadge:
        choice = listed_choice(self.consent.choice)
        level, icon = _LEVELS.get(choice, ("plain", "info"))
        label = CHOICE_LABELS[choice] if choice != OTHER_CHOICE else self.consent.choice or _("Not recorded")
        return CommentBadge(label, level, icon)

    @property
    def policy(self) -> str:
        """Which policy the visitor saw; empty where the service did not record it."""
        version, text = self.consent.policy_version, self.consent.policy_text
        return " · ".join(filter(None, (version, text)))


@dataclass(frozen=True)
class DayTotal:
    """How many visitors made each choice on a day."""

    label: str
    numbers: list[int]

    @property
    def total(self) -> int:
        return sum(self.numbers)


def totals_of(days: Iterable[ConsentDay]) -> tuple[list[DayTotal], DayTotal]:
    """Each day, and the sum of all."""
    found = list(days)
    choices = (*CHOICES, OTHER_CHOICE)
    rows = [DayTotal(_day_label(day.date), [day.number(choice) for choice in choices]) for day in found]
    return rows, DayTotal("", [sum(day.number(choice) for day in found) for choice in choices])


def _day_label(text: str) -> str:
    try:
        return date_format(date.fromisoformat(text), day_format())
    except ValueError:
        return text
