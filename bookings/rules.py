"""The booking rules of a business: minimum notice, how far ahead, and start times."""

from __future__ import annotations

from datetime import datetime, timedelta

from bookings.slots import STEP, Rules
from dashboard.platform.businesses.items import Business

MAX_NOTICE = 30 * 24 * 60
MAX_DAYS = 730
STEPS = (5, 10, 15, 20, 30, 45, 60, 90, 120)
USUAL_STEP = STEP // timedelta(minutes=1)
_LONGEST_STEP = 24 * 60
# The values of two settings: whether there is a booking page, and whether visitors confirm.
OPEN_PAGE, CONFIRM_BY_EMAIL = "open", "email"


def rules_of(business: Business, now: datetime) -> Rules:
    """The rules at a point in time. Invalid values of outside writers are ignored."""
    days = business.horizon_days
    return Rules(
        checked_at=now,
        notice=timedelta(minutes=min(business.notice_minutes or 0, MAX_NOTICE)),
        horizon=timedelta(days=min(days, MAX_DAYS)) if days else None,
        step=timedelta(minutes=step_of(business)),
    )


def step_of(business: Business) -> int:
    step = business.step_minutes
    return step if step and step <= _LONGEST_STEP else USUAL_STEP
