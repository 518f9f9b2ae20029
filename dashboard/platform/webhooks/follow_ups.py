"""Deliveries to webhooks follow from changes."""

from __future__ import annotations

from dashboard.platform.outbox.registry import FollowUp, register_follow_up
from dashboard.platform.webhooks.events import WEBHOOKS
from dashboard.platform.webhooks.services.queue import add_deliveries

register_follow_up(FollowUp(WEBHOOKS, add_deliveries))
