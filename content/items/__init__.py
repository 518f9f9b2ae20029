"""The items of a business's site, as the website service writes them."""

from content.items.comments import CommentPresence, PageComment
from content.items.consents import Consent, ConsentDay
from content.items.editors import PagePresence, UnsavedPage
from content.items.leads import Lead, LeadContact, LeadNote, LeadReminder, LeadState
from content.items.library import Context, LibraryItem, Product, Resource, Signal, SignalStatus, SiteAsset
from content.items.markers import CdnMarker
from content.items.pages import Content, ContentCard, ContentVersion, PageSchedule
from content.items.routes import Route
from content.items.shares import PageShareLink
from content.items.shop import (
    Coupon,
    CouponCode,
    DeliveryRules,
    FormAddress,
    FormDefinition,
    FormEntry,
    MovedMedia,
    OrderOfCustomer,
    Popup,
    ProductCopy,
    ProductReview,
    ShopItem,
    SiteCategory,
    SiteCounter,
    SiteOrder,
)

__all__ = [
    "CdnMarker",
    "CommentPresence",
    "Consent",
    "ConsentDay",
    "Content",
    "ContentCard",
    "ContentVersion",
    "Context",
    "Coupon",
    "CouponCode",
    "DeliveryRules",
    "FormAddress",
    "FormDefinition",
    "FormEntry",
    "Lead",
    "LeadContact",
    "LeadNote",
    "LeadReminder",
    "LeadState",
    "LibraryItem",
    "MovedMedia",
    "OrderOfCustomer",
    "PageComment",
    "PagePresence",
    "PageSchedule",
    "PageShareLink",
    "Popup",
    "Product",
    "ProductCopy",
    "ProductReview",
    "Resource",
    "Route",
    "ShopItem",
    "Signal",
    "SignalStatus",
    "SiteAsset",
    "SiteCategory",
    "SiteCounter",
    "SiteOrder",
    "UnsavedPage",
]
