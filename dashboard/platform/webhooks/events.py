"""The registry of events. Every app declares its own in its module `webhooks`:

register_event(EventType("booking.created", label=_("A booking is made"), sample={…}))

@event_after("booking.create")
def booking_created(entry: AuditEntry) -> WebhookEvent | None: …

An event follows from the record of a change (dashboard/platform/outbox/): an audit entry, or another kind of record
that the app marks itself. So an event is sent if and only if the change was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise

from dashboard.platform.outbox.registry import follow

# The name of webhooks in the outbox.
WEBHOOKS = "webhooks"
# The event that the test button sends.
TEST = "webhook.test"


@dataclass(frozen=True)
class EventType:
    name: str
    label: Promise
    # The data of an example, for the documentation and the test button.
    sample: Mapping[str, Any] = field(default_factory=dict)
    # Whether the webhooks of the platform have it, instead of those of a business.
    is_of_platform: bool = False


@dataclass(frozen=True)
class WebhookEvent:
    type: str
    # What it is about, such as `booking:b1`. Events about one object are delivered in order.
    object: str
    data: Mapping[str, Any]


Derive = Callable[[Any], WebhookEvent | None]
DeriveT = TypeVar("DeriveT", bound=Derive)

EVENT_TYPES: dict[str, EventType] = {}
DERIVATIONS: dict[str, Derive] = {}


def register_event(event_type: EventType) -> EventType:
    if EVENT_TYPES.setdefault(event_type.name, event_type) is not event_type:
        raise ImproperlyConfigured(f"The event {event_type.name} is registered twice.")
    return event_type


def event_after(*changes: str) -> Callable[[DeriveT], DeriveT]:
    """Register a function that derives the event from the record of a change, such as that of an audit action."""

    def register(derive: DeriveT) -> DeriveT:
        for change in changes:
            if DERIVATIONS.setdefault(change, derive) is not derive:
                raise ImproperlyConfigured(f"Two functions derive an event from {change}.")
            follow(change, WEBHOOKS)
        return derive

    return register


def event_types(*, of_platform: bool) -> list[EventType]:
    return [each for each in EVENT_TYPES.values() if each.is_of_platform == of_platform]
