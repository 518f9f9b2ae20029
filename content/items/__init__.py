"""The items of a business's site, as the website service writes them."""

from content.items.library import Context, LibraryItem, Product, Resource, Signal, SignalStatus, SiteAsset
from content.items.markers import CdnMarker
from content.items.pages import Content, ContentCard, ContentVersion, PageSchedule
from content.items.routes import Route
from content.items.visitors import Consent, Lead, PageComment

__all__ = [
    "CdnMarker",
    "Consent",
    "Content",
    "ContentCard",
    "ContentVersion",
    "Context",
    "Lead",
    "LibraryItem",
    "PageComment",
    "PageSchedule",
    "Product",
    "Resource",
    "Route",
    "Signal",
    "SignalStatus",
    "SiteAsset",
]
