"""The items of a business's site, as the website service writes them."""

from content.items.comments import PageComment
from content.items.consents import Consent, ConsentDay
from content.items.editors import PagePresence, UnsavedPage
from content.items.leads import Lead, LeadContact, LeadNote, LeadState
from content.items.library import Context, LibraryItem, Product, Resource, Signal, SignalStatus, SiteAsset
from content.items.markers import CdnMarker
from content.items.pages import Content, ContentCard, ContentVersion, PageSchedule
from content.items.routes import Route
from content.items.shares import PageShareLink

__all__ = [
    "CdnMarker",
    "Consent",
    "ConsentDay",
    "Content",
    "ContentCard",
    "ContentVersion",
    "Context",
    "Lead",
    "LeadContact",
    "LeadNote",
    "LeadState",
    "LibraryItem",
    "PageComment",
    "PagePresence",
    "PageSchedule",
    "PageShareLink",
    "Product",
    "Resource",
    "Route",
    "Signal",
    "SignalStatus",
    "SiteAsset",
    "UnsavedPage",
]
