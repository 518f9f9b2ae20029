"""A brand's work for later."""

from __future__ import annotations

from branding.items import Asset, ScheduledPublication
from branding.services import assets, schedules
from dashboard.platform.due.registry import due


@due("asset")
def remove_deleted_file(asset: Asset) -> str:
    """Thirty days after it was deleted."""
    return assets.purge(asset)


@due("scheduled publication")
def publish_scheduled(schedule: ScheduledPublication) -> str:
    """At the moment that someone has set."""
    return schedules.carry_out(schedule)
