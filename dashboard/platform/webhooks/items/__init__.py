"""Items of webhooks."""

from dashboard.platform.webhooks.items.deliveries import (
    KEPT,
    STATE_LABELS,
    Delivery,
    DeliveryOrder,
    DeliveryReason,
    DeliveryState,
    delivery_key,
    delivery_order_key,
)
from dashboard.platform.webhooks.items.webhooks import OFF_LABELS, OVERLAP, OffReason, Webhook, webhook_key

__all__ = [
    "KEPT",
    "OFF_LABELS",
    "OVERLAP",
    "STATE_LABELS",
    "Delivery",
    "DeliveryOrder",
    "DeliveryReason",
    "DeliveryState",
    "OffReason",
    "Webhook",
    "delivery_key",
    "delivery_order_key",
    "webhook_key",
]
