"""A brand's work for later."""

from __future__ import annotations

from branding.items import Asset
from branding.services import assets
from dashboard.due.registry import due


@due("asset")
def remove_deleted_file(asset: Asset) -> str:
    """Thirty days after it was deleted."""
    return assets.purge(asset)
