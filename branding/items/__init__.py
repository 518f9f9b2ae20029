"""A business's look: themes, which of them is in force, and their files (seed 000)."""

from branding.items.assets import Asset, AssetLink, Role
from branding.items.scheduled import ScheduledPublication, ShareLink
from branding.items.themes import BrandMeta, Publication, PublishedMarker, Status, Theme

__all__ = [
    "Asset",
    "AssetLink",
    "BrandMeta",
    "Publication",
    "PublishedMarker",
    "Role",
    "ScheduledPublication",
    "ShareLink",
    "Status",
    "Theme",
]
