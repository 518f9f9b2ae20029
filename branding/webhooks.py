"""Events about themes."""

from __future__ import annotations

import re

from django.utils.translation import gettext_lazy as _

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.webhooks.events import EventType, WebhookEvent, event_after, register_event

PUBLISHED = "theme.published"
_NUMBER = re.compile(r"[0-9]+$")

register_event(EventType(PUBLISHED, label=_("A theme is published"), sample={"version": 12, "previous_version": 11}))


@event_after("theme.publish", "theme.rollback")
def theme_published(entry: AuditEntry) -> WebhookEvent:
    version = _NUMBER.search(str(entry.target_data.get("id") or ""))
    previous = _NUMBER.search(str((entry.before or {}).get("in_force") or ""))
    return published_event(int(version[0]) if version else None, int(previous[0]) if previous else None)


def published_event(version: int | None, previous: int | None) -> WebhookEvent:
    return WebhookEvent(PUBLISHED, "theme", {"version": version, "previous_version": previous})
