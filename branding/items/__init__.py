"""Items of a brand: themes, the marker of the live version, files, schedules and share links (seed 000)."""

from branding.items.assets import ROLE_LABELS, Asset, AssetLink, AssetRole
from branding.items.scheduled import ScheduledPublication, ShareLink
from branding.items.themes import BrandMeta, Publication, PublishedMarker, Theme, ThemeStatus

__all__ = [
    "ROLE_LABELS",
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
