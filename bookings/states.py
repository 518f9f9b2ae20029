"""Statuses and payment states of a booking. No table and no page is needed."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """The stored status of a booking."""

    # To be confirmed. It keeps its time until someone confirms or cancels it, or until its deadline.
    PENDING = "PENDING"
    CONFIRMED = "CONFIRMED"
    CANCELLED = "CANCELLED"
    # The customer did not come. The booking keeps its time.
    NO_SHOW = "NO_SHOW"


class Payment(StrEnum):
    """The stored payment state of a booking."""

    NONE = "NONE"
    PENDING = "PENDING"
    PAID = "PAID"


# States of a booking that are no status. LAPSED: its deadline passed before someone confirmed it. UNKNOWN: an outside
# writer gave it a status that this product does not know.
LAPSED, UNKNOWN = "LAPSED", ""
# The stored reason of a booking that was cancelled because its deadline had passed.
LAPSED_REASON = "lapsed"
