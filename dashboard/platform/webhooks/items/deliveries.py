"""Deliveries of webhooks, and the order in which those of one object were sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pynamodb.attributes import BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from dashboard.platform.outbox.entries import QueueEntry
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey, Key
from dashboard.table.timestamps import TimestampAttribute

# How long deliveries are listed.
KEPT = timedelta(days=30)


class DeliveryState(StrEnum):
    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"
    CANCELLED = "cancelled"


STATE_LABELS: dict[str, Promise] = {
    DeliveryState.QUEUED: pgettext_lazy("delivery", "Queued"),
    DeliveryState.DELIVERED: pgettext_lazy("delivery", "Delivered"),
    DeliveryState.FAILED: pgettext_lazy("delivery", "Failed"),
    DeliveryState.CANCELLED: pgettext_lazy("delivery", "Not sent"),
}
STATE_LEVELS: dict[str, tuple[str, str]] = {
    DeliveryState.QUEUED: ("plain", "clock"),
    DeliveryState.DELIVERED: ("good", "check"),
    DeliveryState.FAILED: ("bad", "circle-alert"),
    DeliveryState.CANCELLED: ("plain", "ban"),
}


class DeliveryReason(StrEnum):
    EARLIER = "earlier"
    PAUSED = "paused"
    OFF = "off"
    WEBHOOK_GONE = "webhook_gone"
    CLOSED = "closed"
    PERSON = "person"
    EXPIRED = "expired"


REASON_LABELS: dict[str, Promise] = {
    DeliveryReason.EARLIER: _("Waits for an earlier event about the same object"),
    DeliveryReason.PAUSED: _("Waits because the receiver does not answer"),
    DeliveryReason.OFF: _("The webhook is switched off"),
    DeliveryReason.WEBHOOK_GONE: _("The webhook was deleted"),
    DeliveryReason.CLOSED: _("The business is closed"),
    DeliveryReason.PERSON: _("Somebody cancelled it"),
    DeliveryReason.EXPIRED: _("It could not be delivered within three days"),
}


class Delivery(QueueEntry, Item):
    """One event for one webhook. The content stays the same in every attempt, except for the mark of its order."""

    key_pattern = keys.SYSTEM_DELIVERY
    business_pattern = keys.DELIVERY
    state_labels, state_levels, reason_labels = STATE_LABELS, STATE_LEVELS, REASON_LABELS

    webhook_id = UnicodeAttribute(attr_name="webhookId")
    type = UnicodeAttribute()
    # What the event is about. Deliveries about one object are sent in the order of their keys.
    object = UnicodeAttribute()
    message_id = UnicodeAttribute(attr_name="messageId")
    occurred_at = TimestampAttribute(attr_name="occurredAt")
    data = JSONAttribute(null=True)
    # The attempts since it was queued: time, status, milliseconds, error, the beginning of the answer.
    attempts = JSONAttribute(null=True)
    tries = NumberAttribute(null=True)
    # When it was queued for the last time; retries end some days later.
    queued_at = TimestampAttribute(null=True, attr_name="queuedAt")
    delivered_at = TimestampAttribute(null=True, attr_name="deliveredAt")
    # Whether a later event about the same object was sent before.
    is_out_of_order = BooleanAttribute(null=True, attr_name="outOfOrder")
    # How often people sent it again.
    replays = NumberAttribute(null=True)

    IN_LISTS = (
        *("webhookId", "type", "object", "messageId", "occurredAt", "state", "dueAt", "tries", "deliveredAt"),
        *("outOfOrder", "reason", "revision"),
    )

    @property
    def order(self) -> str:
        """Its place among the deliveries of the same object."""
        return f"{self.parts.get('at', '')}#{self.parts.get('id', '')}"

    @property
    def is_queued(self) -> bool:
        return self.state == DeliveryState.QUEUED

    def queue(self, at: datetime) -> None:
        self.state, self.due_at, self.queued_at = DeliveryState.QUEUED, at, at
        self.tries = self.reason = None
        self.ttl = self.expiry()

    def expiry(self) -> int | None:
        since = self.queued_at or self.occurred_at
        return int((since + KEPT).timestamp()) if since else None

    def index_keys(self) -> Iterator[IndexKey]:
        parts = self.parts
        business = {"tenant": parts["tenant"]} if "tenant" in parts else {}
        place: dict[str, Any] = {"at": parts.get("at"), "id": parts.get("id"), "webhook": self.webhook_id} | business
        listed, by_state, waiting = (
            (keys.DELIVERIES, keys.DELIVERIES_BY_STATE, keys.WAITING_DELIVERIES)
            if business
            else (keys.SYSTEM_DELIVERIES, keys.SYSTEM_DELIVERIES_BY_STATE, keys.SYSTEM_WAITING_DELIVERIES)
        )
        yield from listed.optional_key(**place)
        yield from by_state.optional_key(**place, state=self.state)
        if self.is_queued:
            yield from waiting.optional_key(**place, object=self.object)
        if self.due_at:
            yield keys.DUE_HOOK.key(due_at=self.due_at)


class DeliveryOrder(Item):
    """The newest event about one object that was sent to a webhook: a later attempt with an older one is marked."""

    key_pattern = keys.SYSTEM_DELIVERY_ORDER
    editable = False

    last = UnicodeAttribute(null=True)


def delivery_key(business: str, at: str | datetime, delivery_id: str) -> Key:
    if business:
        return keys.DELIVERY.key(tenant=business, at=at, id=delivery_id)
    return keys.SYSTEM_DELIVERY.key(at=at, id=delivery_id)


def delivery_order_key(delivery: Delivery) -> Key:
    parts = {"webhook": delivery.webhook_id, "object": delivery.object}
    if delivery.business:
        return keys.DELIVERY_ORDER.key(tenant=delivery.business, **parts)
    return keys.SYSTEM_DELIVERY_ORDER.key(**parts)
