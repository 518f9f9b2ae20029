"""The stages of a lead."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class LeadStage(StrEnum):
    """As the website service names them. It writes only the first, with each contact."""

    NEW = "New"
    CONTACTED = "Contacted"
    CONVERTED = "Converted"
    ARCHIVED = "Archived"


STAGE_LABELS = {
    LeadStage.NEW: pgettext_lazy("leads", "New"),
    LeadStage.CONTACTED: _("Contacted"),
    LeadStage.CONVERTED: _("Converted"),
    LeadStage.ARCHIVED: pgettext_lazy("leads", "Archived"),
}
STAGE_LEVELS = {
    LeadStage.NEW: ("info", "inbox"),
    LeadStage.CONTACTED: ("warn", "message-square"),
    LeadStage.CONVERTED: ("good", "circle-check"),
    LeadStage.ARCHIVED: ("plain", "archive"),
}


def stage_of(text: str | None) -> LeadStage:
    """The stage with this name; an unknown one counts as new."""
    return LeadStage(text) if text in list(LeadStage) else LeadStage.NEW
