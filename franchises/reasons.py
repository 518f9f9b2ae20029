"""The reasons for a movement of stock."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext_lazy as _


class MovementReason(StrEnum):
    SALE = "sale"
    DELIVERY = "delivery"
    COUNT = "count"
    LOSS = "loss"
    TRANSFER = "transfer"
    CORRECTION = "correction"
    # An outside writer changed the stock directly.
    OUTSIDE = "outside"


REASON_LABELS = {
    MovementReason.SALE: _("Sale"),
    MovementReason.DELIVERY: _("Delivery"),
    MovementReason.COUNT: _("Count"),
    MovementReason.LOSS: _("Loss"),
    MovementReason.TRANSFER: _("Transfer"),
    MovementReason.CORRECTION: _("Correction"),
    MovementReason.OUTSIDE: _("Other service"),
}
# What a person can choose for a change by hand.
CHOSEN_REASONS = (MovementReason.SALE, MovementReason.DELIVERY, MovementReason.LOSS, MovementReason.CORRECTION)
