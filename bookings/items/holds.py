"""Bookings that visitors of a website still have to confirm."""

from __future__ import annotations

import hashlib

from pynamodb.attributes import UnicodeAttribute

from bookings.items.customers import comparable_email
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class VisitorHold(Item):
    """The last booking of a visitor that waits for their confirmation. A visitor has one at a time."""

    key_pattern = keys.VISITOR_HOLD

    booking_id = UnicodeAttribute(null=True, attr_name="bookingId")
    lapses_at = TimestampAttribute(null=True, attr_name="lapsesAt")


def visitor_of(email: str) -> str:
    """The visitor with this e-mail, in the key of a hold. The address itself stays in the customer."""
    return hashlib.sha256((comparable_email(email) or "").encode()).hexdigest()[:32]
