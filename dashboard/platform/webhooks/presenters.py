"""Webhooks and deliveries as the pages show them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.platform.webhooks.events import EVENT_TYPES
from dashboard.platform.webhooks.items import Delivery, Webhook
from dashboard.platform.webhooks.receiver import ERROR_LABELS
from dashboard.platform.webhooks.services.delivery import build_body
from dashboard.table.timestamps import from_wire


@dataclass(frozen=True)
class WebhookRow:
    webhook: Webhook
    url: str


@dataclass(frozen=True)
class DeliveryRow:
    delivery: Delivery
    url: str

    @property
    def label(self) -> str | Promise:
        event_type = EVENT_TYPES.get(self.delivery.type)
        return event_type.label if event_type is not None else self.delivery.type


@dataclass(frozen=True)
class AttemptLine:
    at: datetime | None
    text: str | Promise
    is_accepted: bool
    milliseconds: int
    answer: str


def attempt_lines(delivery: Delivery) -> list[AttemptLine]:
    """The attempts, the newest first."""
    return [_attempt_line(each) for each in reversed(delivery.attempts or [])]


def _attempt_line(stored: Mapping[str, Any]) -> AttemptLine:
    status, error = stored.get("status"), str(stored.get("error") or "")
    label = ERROR_LABELS.get(error, error) if error else _("Accepted")
    text = f"{label} ({status})" if status else label
    return AttemptLine(
        from_wire(str(stored["at"])), text, not error, int(stored.get("ms") or 0), str(stored.get("answer") or "")
    )


def shown_body(delivery: Delivery) -> str:
    """The message with line breaks."""
    return json.dumps(json.loads(build_body(delivery)), ensure_ascii=False, indent=2)
