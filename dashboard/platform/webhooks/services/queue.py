"""Queues deliveries. They follow from the record of a change (dashboard/platform/outbox/)."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.platform.outbox.items import CHANGE, OutsideEvent
from dashboard.platform.outbox.records import OutboxRecord
from dashboard.platform.webhooks import queries
from dashboard.platform.webhooks.events import DERIVATIONS, EVENT_TYPES, WebhookEvent, event_after
from dashboard.platform.webhooks.items import Delivery, Webhook, delivery_key
from dashboard.table.timestamps import from_wire
from dashboard.table.transactions import Transaction


@event_after(CHANGE)
def outside_event(record: OutsideEvent) -> WebhookEvent:
    return WebhookEvent(record.type, record.object, record.data or {})


def add_deliveries(record: OutboxRecord, transaction: Transaction) -> str:
    """Add a delivery for each webhook that has the event to the transaction in which the record leaves the outbox."""
    derive = DERIVATIONS.get(record.change_name)
    event = derive(record) if derive is not None else None
    if event is None or event.type not in EVENT_TYPES:
        return "no webhook event"
    place = record.record_place
    scope = "" if EVENT_TYPES[event.type].is_of_platform else place.business
    webhooks = [each for each in queries.webhooks_of(scope) if each.is_on and event.type in each.event_names]
    deliveries = [new_delivery(each, event, place.at, place.id) for each in webhooks]
    # The transaction needs a step for the record. There are more webhooks than it has steps only if several people
    # created one at the same time.
    count = transaction.free_steps - 1
    for delivery in deliveries[count:]:
        apart = Transaction(transaction.command.part(repr(delivery.key)))
        apart.create(delivery)
        apart.commit(None)
    for delivery in deliveries[:count]:
        transaction.create(delivery)
    return f"queued {len(deliveries)} for webhooks"


def new_delivery(webhook: Webhook, event: WebhookEvent, at: str, event_id: str) -> Delivery:
    """The delivery of an event to a webhook. Its key follows from the event, so that it is queued once."""
    delivery = Delivery.new_at_key(delivery_key(webhook.business, at, f"{event_id}-{webhook.id}"))
    delivery.webhook_id, delivery.type = webhook.id, event.type
    # The object is part of a key.
    delivery.object = event.object.replace("#", "_")[:200]
    delivery.message_id = f"msg_{event_id}".replace(".", "_")
    delivery.occurred_at, delivery.data = from_wire(at), dict(event.data)
    delivery.queue(now())
    return delivery
