"""What a booking can be. It knows no table and no page."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a booking stands."""

    # It holds its time until someone confirms or cancels it, or until its deadline.
    PENDING = "PENDING"
    CONFIRMED = "CONFIRMED"
    CANCELLED = "CANCELLED"
    # Nobody came: the time is gone all the same.
    NO_SHOW = "NO_SHOW"


class Payment(StrEnum):
    """How far a booking is paid."""

    NONE = "NONE"
    PENDING = "PENDING"
    PAID = "PAID"


# Why a booking is cancelled that nobody confirmed in time.
LAPSED = "lapsed"
