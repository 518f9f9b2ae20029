"""Due tasks of brands."""

from __future__ import annotations

from branding.items import Asset, ScheduledPublication
from branding.services import assets, schedules
from dashboard.platform.due.registry import due


@due("asset")
def remove_deleted_file(asset: Asset) -> str:
    """Runs 30 days after a file was deleted."""
    return assets.purge(asset)


@due("scheduled publication")
def publish_scheduled(schedule: ScheduledPublication) -> str:
    """Runs at the scheduled time."""
    return schedules.publish_due(schedule)
