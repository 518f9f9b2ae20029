"""What usage costs, and what each plan includes."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings

from dashboard.platform.businesses.items import Plan

# Requests with API keys in a month; None has no limit.
PLAN_LIMITS: Mapping[str, int | None] = {Plan.FREE: 10_000, Plan.PRO: 200_000, Plan.ENTERPRISE: None}
# From this share of the limit on, the business is warned.
WARNING_SHARE = 0.8
_MILLION = 1_000_000


def cost_of(reads: float, writes: float) -> float:
    """In US dollars, at DynamoDB's price for capacity on demand."""
    return (reads * settings.PRICE_OF_MILLION_READS + writes * settings.PRICE_OF_MILLION_WRITES) / _MILLION


def limit_of(plan: str | None) -> int | None:
    """The limit of a plan. A plan of an outside writer has none."""
    return PLAN_LIMITS.get(plan or "", None)
