"""The due task of webhooks: to send a delivery."""

from __future__ import annotations

from dashboard.platform.due.registry import due
from dashboard.platform.webhooks.items import Delivery
from dashboard.platform.webhooks.services import delivery as services


@due("webhook delivery")
def send(delivery: Delivery) -> str:
    return services.send(delivery)
