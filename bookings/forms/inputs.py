"""Form inputs that only bookings have."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from bookings.rules import STEPS
from dashboard.web.fields import EMPTY_CHOICE
from dashboard.web.local_times import zones
from dashboard.web.money import CURRENCIES

MAX_SERVICES = 1000


class ServiceIds(list[str]):
    """Ids that fit into one hidden input, as Undo and the conflict page send them."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> ServiceIds | None:
        """The ids in such an input; None where the text is a single id."""
        try:
            ids = json.loads(text) if text.startswith("[") else None
        except (ValueError, RecursionError):
            return None
        return cls(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else None


class ServiceBoxes(forms.CheckboxSelectMultiple):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> ServiceIds:
        sent = data.getlist(name) if hasattr(data, "getlist") else list(data.get(name, []))
        ids = ServiceIds.from_text(sent[0]) if len(sent) == 1 else None
        return ServiceIds(sent) if ids is None else ids


class ServicesField(forms.MultipleChoiceField):
    """The services of a staff member."""

    widget = ServiceBoxes

    def clean(self, value: Any) -> list[str]:
        ids: list[str] = super().clean(value)
        return list(dict.fromkeys(ids))[:MAX_SERVICES]


def currency_choices() -> list[tuple[str, Any]]:
    return [EMPTY_CHOICE, *((code, code) for code in CURRENCIES)]


def zone_choices() -> list[tuple[str, Any]]:
    return [("", _("Same as the business")), *zones()]


def step_choices() -> list[tuple[str, Any]]:
    return [(str(step), _("%(minutes)s minutes") % {"minutes": step}) for step in STEPS]
