"""Presenters of leads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.comment_refs import encode_text
from content.comment_statuses import CommentBadge
from content.items import Lead, LeadContact, LeadState
from content.lead_stages import STAGE_LABELS, STAGE_LEVELS
from dashboard.core.names import initials
from dashboard.platform.audit.sentences import as_json, as_text
from dashboard.table.masking import MASK, is_secret, masked_content
from dashboard.web.pages import url_or_empty
from dashboard.web.templatetags.ui import day_format

# The names that the website service uses in the data of a contact. Forms add others.
DATA_LABELS: dict[str, Promise] = {
    "message": _("Message"),
    "referral": _("Came from"),
    "userAgent": _("Browser"),
    "phone": _("Phone"),
}
MAX_VALUE = 5000


@dataclass(frozen=True)
class LeadRow:
    """A lead in a list."""

    business: str
    state: LeadState
    today: date

    @property
    def url(self) -> str:
        return url_or_empty("lead", self.business, self.state.id)

    @property
    def title(self) -> str:
        return self.state.title

    @property
    def subtitle(self) -> str:
        """The address, where the title is the name."""
        return self.state.email if self.state.name else ""

    @property
    def selection_id(self) -> str:
        """The value of its checkbox: the lead, and the revision that the person saw."""
        return f"{self.state.revision}:{encode_text(self.state.id)}"

    @property
    def initials(self) -> str:
        return initials(self.title)

    @property
    def spellings(self) -> int:
        """In how many ways the address was typed: each is a row of the service."""
        return len(self.state.addresses or [])

    @property
    def badge(self) -> CommentBadge:
        level, icon = STAGE_LEVELS[self.state.stage]
        return CommentBadge(STAGE_LABELS[self.state.stage], level, icon)

    @property
    def step_day(self) -> date | None:
        try:
            return date.fromisoformat(self.state.next_step_on or "")
        except ValueError:
            return None

    @property
    def step_day_text(self) -> str:
        return date_format(self.step_day, day_format()) if self.step_day else ""

    @property
    def is_overdue(self) -> bool:
        return self.step_day is not None and self.step_day < self.today

    @property
    def is_today(self) -> bool:
        return self.step_day == self.today


@dataclass(frozen=True)
class ContactView:
    """One contact: what the visitor sent, and when."""

    address: str
    source: str
    status: str
    at: datetime | None
    values: list[tuple[str, str]]
    is_current: bool


def contact_view(contact: Lead | LeadContact) -> ContactView:
    is_current = isinstance(contact, Lead)
    address = contact.address if isinstance(contact, Lead) else contact.email or ""
    values = list(data_values(contact.data))
    if isinstance(contact, LeadContact):
        values += data_values(contact.other or {})
    return ContactView(address, contact.source or "", contact.status or "", contact.created_at, values, is_current)


def data_values(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The known entries first, then the others by name. Secrets are masked, empty entries are left out."""
    names = [*(name for name in DATA_LABELS if name in data), *sorted(set(data) - set(DATA_LABELS))]
    return [
        (str(DATA_LABELS.get(name, name)), text)
        for name in names
        if (text := MASK if is_secret(name) and data[name] is not None else _text_of(data[name]))
    ]


def _text_of(value: Any) -> str:
    value = masked_content(value)
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(as_text(each) for each in value)[:MAX_VALUE]
    return (as_json(value) if isinstance(value, dict) else as_text(value))[:MAX_VALUE]
