"""Items of a brand: themes, the marker of the live version, files, schedules and share links."""

from branding.items.assets import ROLE_LABELS, Asset, AssetLink, AssetRole
from branding.items.publications import Publication, PublishedMarker
from branding.items.scheduled import ScheduledPublication, ShareLink
from branding.items.statuses import ThemeStatus
from branding.items.themes import UNPADDED, BrandMeta, Theme

__all__ = [
    "ROLE_LABELS",
    "UNPADDED",
    "Asset",
    "AssetLink",
    "AssetRole",
    "BrandMeta",
    "Publication",
    "PublishedMarker",
    "ScheduledPublication",
    "ShareLink",
    "Theme",
    "ThemeStatus",
]
