"""Which leads a list shows: a stage, the beginning of an address, or those with a next step, and the filters."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _

from content.items import LeadState
from content.items.lists import folded_email
from content.lead_stages import LeadStage
from content.queries import leads as queries
from dashboard.table.read import Page
from dashboard.table.search import SearchPage, has_words

STEPS = "steps"
# So many leads are searched at once: no index has their names and sources.
SEARCHED_AT_ONCE = 300


class Due(StrEnum):
    OVERDUE = "overdue"
    TODAY = "today"
    WEEK = "week"
    NONE = "none"


DUE_LABELS = {
    Due.OVERDUE: _("Overdue"),
    Due.TODAY: _("Today"),
    Due.WEEK: _("In the next 7 days"),
    Due.NONE: _("No day"),
}


@dataclass(frozen=True)
class LeadList:
    # A stage, or STEPS; empty for new leads.
    show: str = ""
    # The beginning of the address, in every stage.
    q: str = ""
    words: str = ""
    source: str = ""
    due: str = ""
    # The e-mail address of the person who does the next step.
    person: str = ""

    @property
    def scope(self) -> tuple[str, ...]:
        return astuple(self)

    @property
    def is_search(self) -> bool:
        return bool(self.words or self.source or self.due or self.person)

    def read(self, business: str, start_key: Any = None) -> Page[LeadState]:
        most = SEARCHED_AT_ONCE if self.is_search else queries.PAGE
        if self.q:
            return queries.leads_by_address(business, folded_email(self.q), start_key, most)
        if self.show == STEPS:
            return queries.leads_with_next_step(business, start_key, most)
        return queries.leads_by_stage(business, LeadStage(self.show or LeadStage.NEW), start_key, most)

    def page_of(self, found: Page[LeadState], today: date) -> Page[LeadState]:
        """The matching leads of a page; of a search it says how many were searched."""
        if not self.is_search:
            return found
        matching = [each for each in found.items if self.matches(each, today)]
        return SearchPage(matching, found.next_start_key, len(found.items))

    def matches(self, lead: LeadState, today: date) -> bool:
        text = f"{lead.name or ''} {lead.email} {lead.source or ''} {lead.next_step or ''}"
        return (
            has_words(text, self.words)
            and has_words(lead.source or "", self.source)
            and (not self.person or lead.step_for == self.person)
            and (not self.due or _is_due(lead.next_step_on or "", self.due, today))
        )


def _is_due(day: str, due: str, today: date) -> bool:
    week = (today + timedelta(days=7)).isoformat()
    return {
        Due.OVERDUE: "" < day < today.isoformat(),
        Due.TODAY: day == today.isoformat(),
        Due.WEEK: today.isoformat() <= day <= week,
        Due.NONE: not day,
    }[Due(due)]
