"""Statuses and payment states of a booking. No table and no page is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Status(StrEnum):
    """The stored status of a booking."""

    # To be confirmed. It keeps its time until someone confirms or cancels it, or until its deadline.
    PENDING = "PENDING"
    CONFIRMED = "CONFIRMED"
    CANCELLED = "CANCELLED"
    # The customer did not come. The booking keeps its time.
    NO_SHOW = "NO_SHOW"


# The booking service offers a cancelled time to the next customer and keeps it for some minutes.
SOFT_LOCKED = "SOFT_LOCKED"
# A booking with one of these statuses may have a deadline, after which it takes no time.
WITH_DEADLINE = frozenset({Status.PENDING.value, SOFT_LOCKED})


@dataclass(frozen=True)
class StatusSpec:
    label: _StrPromise
    # The colour of the badge.
    level: str
    # The icon of the badge.
    icon: str
    # Whether no other booking can have the time.
    takes_time: bool = True
    # Whether the customer is expected: a change of hours then lists the booking if it no longer fits.
    is_live: bool = False


STATUSES: Mapping[str, StatusSpec] = {
    Status.PENDING: StatusSpec(pgettext_lazy("booking", "To confirm"), "warn", "clock", is_live=True),
    Status.CONFIRMED: StatusSpec(pgettext_lazy("booking", "Confirmed"), "good", "check", is_live=True),
    Status.CANCELLED: StatusSpec(pgettext_lazy("booking", "Cancelled"), "plain", "x", takes_time=False),
    Status.NO_SHOW: StatusSpec(pgettext_lazy("booking", "No-show"), "bad", "user-x"),
}


def status_takes_time(status: str | None) -> bool:
    """Whether a booking with this status takes its time. A status that only an outside writer knows does."""
    spec = STATUSES.get(status or Status.CONFIRMED)
    return spec is None or spec.takes_time


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
