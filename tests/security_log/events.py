"""Writes security events for tests."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import frozen, now
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import new_event
from dashboard.table import write


def put_event(
    kind: EventKind, email: str, *, ago: timedelta = timedelta(), address: str = "10.0.0.1", **details: str
) -> SecurityEvent:
    with frozen(now() - ago):
        event = new_event(kind, email, address=address, browser="Firefox · Linux")
    event.details, event.request_id = details or None, "0123456789abcdef"
    write.put(event)
    return event
