"""Events about leads."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from content.lead_repairs import CREATED
from dashboard.platform.webhooks.events import EventType, register_event

register_event(
    EventType(
        CREATED,
        label=_("A new lead leaves an address"),
        sample={
            "id": "d1d1d1d1-0000-4000-8000-000000000001",
            "source": "contact-form",
            "created_at": "2026-05-11T20:05:44Z",
        },
    )
)
