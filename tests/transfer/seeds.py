"""The expected class, some values and the index keys of every example of `seed_items.jsonl`.

000 is DynamoDB JSON as printed there; 001 without its comments; 002 and 003 are sketches there, with values filled
in; 004's tables are mapped to our keys as docs/import-layouts.md says.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

FRANCHISE = "123e4567-e89b-12d3-a456-426614174000"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class Seed(NamedTuple):
    """The expected class, some values and the index keys of an example."""

    cls: str
    values: dict[str, Any]
    index_keys: dict[str, tuple[str, str]]


NOON, LATE = at("2025-10-03T10:00:00"), "2025-10-03T10:00:00Z"
MADE = at("2026-01-12T20:00:00")
BOOKED = "2025-12-01T17:30:00Z"
WROTE, BANNED = "2025-08-18T10:30:00Z", "2025-08-18T11:30:00Z"

EXPECTED: dict[tuple[str, str], Seed] = {
    # 000
    ("BUS#123", "META"): Seed("branding.BrandMeta", {"name": "Intrale"}, {}),
    ("BUS#123", "THEME#00000042"): Seed(
        "branding.Theme",
        {
            "version": 42,
            "status": "draft",
            "metadata": {"primaryColor": "#0F172A", "secondaryColor": "#22D3EE", "typography": "intrale-regular"},
            "assets": ["ASSET#logo-123", "ASSET#banner-123"],
            "updated_at": at("2025-09-21T10:00:00"),
            "ttl": None,
        },
        {},
    ),
    ("BUS#123", "THEME#00000040"): Seed("branding.Theme", {"time_to_archive": 4102444800, "ttl": 4102444800}, {}),
    ("BUS#124", "PUBLISHED"): Seed("branding.PublishedMarker", {"version": 42, "published_at": None}, {}),
    ("BUS#123", "PUBLISHED"): Seed(
        "branding.PublishedMarker",
        {"version": 41, "published_at": at("2025-09-10T08:30:00"), "published_by": "user-789"},
        {},
    ),
    ("ASSET#logo-123", "META"): Seed(
        "branding.Asset",
        {"business_id": "123", "asset_type": "logo", "uri": "s3://intrale-branding/assets/logo-123.png"},
        {},
    ),
    ("BUS#123", "ASSET#logo-123"): Seed("branding.AssetLink", {"scope": "theme"}, {}),
    # 001
    (f"FRANCHISE#{FRANCHISE}", "METADATA"): Seed(
        "franchises.Franchise",
        {"name": "Franquicia McDonald's", "created_at": MADE},
        {"GSI_Type": ("FRANCHISES", f"franquicia mcdonald's#{FRANCHISE}")},
    ),
    (FRANCHISE, "branch-001"): Seed(
        "franchises.Branch",
        {"name": "Sucursal Centro", "franchise_id": FRANCHISE},
        {
            "GSI1": ("BRANCH#branch-001", f"{FRANCHISE}#META"),
            "GSI2": (f"FRANCHISE_BRANCHES#{FRANCHISE}", "Sucursal Centro"),
        },
    ),
    (FRANCHISE, "product-001"): Seed(
        "franchises.StockItem",
        {"name": "Big Mac", "stock": 150, "branch_id": "branch-001", "updated_at": MADE},
        {
            "GSI1": ("BRANCH#branch-001", f"{FRANCHISE}#S#0000000150"),
            "GSI2": ("PRODUCT#product-001", FRANCHISE),
            "GSI3": (f"{FRANCHISE}#PRODUCT#name=big mac", "branch-001"),
            "GSI4": (f"{FRANCHISE}#PRODUCTS", "big mac#product-001"),
            "GSI_Type": (f"{FRANCHISE}#STOCK", "0000000150"),
        },
    ),
    # 002
    ("USER#email@domain.com", "PROFILE"): Seed(
        "dashboard.platform.accounts.Person",
        {"country": "Colombia", "role": "attendee", "progress": ["sala1", "sala3"], "created_at": at("2025-08-18")},
        # A date without a time, as in the document: existing keys are kept.
        {"GSI1": ("USER#Colombia", "2025-08-18"), "GSI_Type": ("USERS", "2025-08-18T00:00:00Z")},
    ),
    ("ROOM#STATUS", "ROOM#sala1"): Seed(
        "rooms.Room", {"open_at": at("2025-08-18T14:00:00"), "manual_override": None}, {}
    ),
    ("ROOM#STATUS", "ROOM#sala2"): Seed("rooms.Room", {"manual_override": "closed"}, {}),
    ("ROOM#sala1", "CONTENT#v1"): Seed(
        "rooms.RoomContent",
        {"title": "Bienvenida", "vimeo_url": "https://vimeo.com/1", "is_active": True},
        {"GSI1": ("CONTENT#ACTIVE", "sala1")},
    ),
    ("ROOM#sala1", "CONTENT#v2"): Seed("rooms.RoomContent", {"type": "video", "is_active": False}, {}),
    ("POST#postId", "POST#postId"): Seed(
        "forum.Post",
        {"likes": 9, "comments_count": 1, "images": ["s3://esenciafest-assets/1.jpg"], "profanity_score": 0.05},
        {
            "GSI1": ("POSTS#ACTIVE", WROTE),
            "GSI2": ("POSTS#active", WROTE),
            "GSI3": ("POSTS#SORTED", f"0000000009#{WROTE}"),
            "GSI4": ("POSTS#COMMENTS", f"0000000001#{WROTE}"),
            "GSI_Type": ("AUTHOR#email@domain.com", f"POST#{WROTE}"),
            "GSI_Status": ("REVIEW#OPEN#POST", f"0050000000#{WROTE}"),
        },
    ),
    ("POST#banned", "POST#banned"): Seed(
        "forum.Post",
        {"status": "banned", "banned_at": at("2025-08-18T12:00:00"), "ban_reason": "insulto", "images": []},
        {
            "GSI2": ("POSTS#banned", BANNED),
            "GSI3": ("POSTS#SORTED#banned", f"0000000010#{BANNED}"),
            "GSI4": ("POSTS#COMMENTS#banned", f"0000000000#{BANNED}"),
            "GSI_Type": ("AUTHOR#email@domain.com", f"POST#{BANNED}"),
        },
    ),
    ("POST#postId", "COMMENT#commentId"): Seed(
        "forum.Comment",
        {"user_id": "otra@domain.com", "content": "Hola", "profanity_score": 0},
        {
            "GSI2": ("COMMENTS#active", "2025-08-18T10:35:00Z"),
            "GSI3": ("POST#postId#COMMENTS#active", "2025-08-18T10:35:00Z"),
            "GSI_Type": ("AUTHOR#otra@domain.com", "COMMENT#2025-08-18T10:35:00Z"),
        },
    ),
    ("CONFIG#domains", "CONFIG#domains"): Seed(
        "dashboard.platform.configs.Config", {"whitelist": ["@sura.com.co", "@bancoldex.com"]}, {}
    ),
    ("CONFIG#schedule", "CONFIG#schedule"): Seed(
        "dashboard.platform.configs.Config", {"sala_open_times": {"sala1": "2025-08-18T14:00:00Z"}}, {}
    ),
    ("CONFIG#profanity", "CONFIG#profanity"): Seed(
        "dashboard.platform.configs.Config",
        {
            "blacklist": ["palabra1", "palabra2"],
            "severity": {"palabra1": "high", "palabra2": "medium"},
            "auto_moderation_threshold": 0.8,
        },
        {},
    ),
    ("MODLOG#2025-08-18", "2025-08-18T12:00:00Z#admin@domain.com#a1"): Seed(
        "forum.ModerationEntry",
        {"action": "ban", "original_content": "palabra1", "author_id": "email@domain.com"},
        {
            "GSI1": ("MODTARGET#banned", "2025-08-18T12:00:00Z"),
            "GSI2": ("MODLOG#admin@domain.com", "2025-08-18T12:00:00Z"),
            "GSI3": ("MODAUTHOR#email@domain.com", "2025-08-18T12:00:00Z"),
            "GSI_Type": ("MODLOG#ban", "2025-08-18T12:00:00Z"),
        },
    ),
    # 003
    ("SYSTEM", "TENANT#acme"): Seed(
        "dashboard.platform.businesses.Business",
        {"domain": "acme.example", "slug": "acme"},
        {"GSI_Type": ("TENANTS", "acme#acme")},
    ),
    ("TENANT#acme", "CONTENT#n1#LATEST"): Seed(
        "content.Content", {"version": 2, "blocks": [{"type": "text", "text": "Hola"}]}, {}
    ),
    ("TENANT#acme", "CONTENT#n1#v1"): Seed("content.ContentVersion", {"version": 1, "blocks": []}, {}),
    ("TENANT#acme", "ROUTE#about-us"): Seed(
        "content.Route",
        {"target_node": "NODE#n1", "is_redirect": None},
        {"GSI1": ("TENANT#acme#ROUTETO#n1", "about-us")},
    ),
    ("TENANT#acme", "ROUTE#old-slug"): Seed("content.Route", {"is_redirect": True, "redirect_to": "about-us"}, {}),
    ("TENANT#acme", "PRODUCT#p1"): Seed(
        "content.Product",
        {"title": "Lámpara", "price": "19.90"},
        {"GSI_Type": ("TENANT#acme#PRODUCT", "2025-10-01T10:00:00Z")},
    ),
    ("TENANT#acme", f"COMMENT#n1#{LATE}"): Seed(
        "content.PageComment", {"status": "Pending"}, {"GSI_Status": ("TENANT#acme#COMMENT#Pending", LATE)}
    ),
    ("TENANT#acme", "LEAD#lucia@example.com"): Seed(
        "content.Lead",
        {"name": "Lucía", "created_at": NOON},
        {"GSI1": ("TENANT#acme#LEADADDRESS#lucia@example.com", LATE), "GSI_Type": ("TENANT#acme#LEAD", LATE)},
    ),
    ("TENANT#acme", "CONTEXT#c1"): Seed(
        "content.Context", {"title": "Horario"}, {"GSI_Type": ("TENANT#acme#CONTEXT", LATE)}
    ),
    ("TENANT#acme", "ASSET#a1"): Seed(
        "content.SiteAsset", {"file_name": "logo.png"}, {"GSI_Type": ("TENANT#acme#ASSET", LATE)}
    ),
    ("TENANT#acme", "RESOURCE#r1"): Seed(
        "content.Resource", {"file_name": "catalogo.pdf"}, {"GSI_Type": ("TENANT#acme#RESOURCE", LATE)}
    ),
    ("TENANT#acme", f"AUDIT#{LATE}#x1"): Seed(
        "dashboard.platform.audit.AuditEntry",
        {"at_time": NOON, "actor": {"email": "olivia@example.com"}, "target": {"id": "n1", "title": "Inicio"}},
        {
            "GSI1": ("TENANT#acme#ACTOR#olivia@example.com", f"{LATE}#x1"),
            "GSI2": ("TENANT#acme#TARGET#n1", f"{LATE}#x1"),
        },
    ),
    ("TENANT#acme", "SIGNAL#s1"): Seed("content.Signal", {"source": "Web"}, {"GSI_Type": ("TENANT#acme#SIGNAL", LATE)}),
    ("TENANT#acme", f"CONSENT#visitor1#{LATE}"): Seed(
        "content.Consent",
        {"choice": "necessary"},
        {"GSI_Type": ("TENANT#acme#CONSENT", LATE), "GSI_Status": ("TENANT#acme#CONSENT#necessary", LATE)},
    ),
    # 004
    ("SYSTEM", "TENANT#andina"): Seed(
        "dashboard.platform.businesses.Business",
        {
            "name": "Coca-Cola Andina",
            "plan": "PRO",
            "created_at": at("2025-01-01"),
            "settings": {
                "language": "es-CL",
                "defaultTimezone": "America/Santiago",
                "widget": {"primaryColor": "#f44336", "position": "bottom-right"},
            },
        },
        {
            "GSI_Type": ("TENANTS", "coca-cola andina#andina"),
            "GSI_Status": ("TENANTS#ACTIVE", "coca-cola andina#andina"),
        },
    ),
    ("TENANT#andina", "APIKEY#key_001"): Seed(
        "dashboard.platform.apikeys.ApiKey",
        {"id": "key_001", "business": "andina", "limit": 100, "origins": ["https://www.andina.cl"], "is_active": True},
        {"GSI1": ("APIKEY#sha256_hash_here", "andina")},
    ),
    ("TENANT#andina", "SERVICE#svc_123"): Seed(
        "bookings.Service",
        {"name": "Masaje descontracturante", "duration_minutes": 60, "price": 25000, "active": True},
        {"GSI1": ("TENANT#andina#CATEGORY#masajes", "Masaje descontracturante")},
    ),
    ("TENANT#andina", "PROVIDER#pro_55"): Seed(
        "bookings.Provider",
        {"name": "María González", "services": ["svc_123", "svc_456"], "timezone": "America/Santiago", "active": True},
        {},
    ),
    ("TENANT#andina#PROVIDER#pro_55", "AVAILABILITY#MON"): Seed(
        "bookings.Availability",
        {
            "time_ranges": [
                {"startTime": "09:00", "endTime": "13:00"},
                {"startTime": "15:00", "endTime": "19:00"},
            ],
            "breaks": [{"startTime": "11:00", "endTime": "11:15"}],
            "exceptions": [],
        },
        {"GSI_Type": ("TENANT#andina#AVAILABILITY", "MON#pro_55")},
    ),
    ("TENANT#andina#PROVIDER#pro_55", f"BOOKING#{BOOKED}#book_789"): Seed(
        "bookings.Booking",
        {"start_time": at("2025-12-01T17:30:00"), "status": "CONFIRMED", "payment_status": "PAID"},
        {
            "GSI1": ("TENANT#andina#CUSTOMER#cust_001", BOOKED),
            "GSI2": ("TENANT#andina#BOOKINGID#book_789", f"{BOOKED}#pro_55"),
            "GSI3": ("TENANT#andina#SERVICE#svc_123", BOOKED),
            "GSI_Type": ("TENANT#andina#BOOKING", BOOKED),
            "GSI_Status": ("TENANT#andina#BOOKING#CONFIRMED", BOOKED),
        },
    ),
    ("TENANT#andina", "CONVERSATION#conv_abc123"): Seed(
        "bookings.Conversation",
        {
            "state": "PROVIDER_SELECTED",
            "slot_start": None,
            "user_context": {"userId": "user_ext_001", "name": "Juan Pérez"},
        },
        {
            "GSI_Status": ("TENANT#andina#CONVERSATION#PROVIDER_SELECTED", "2025-12-01T15:30:00Z"),
            "GSI_Type": ("TENANT#andina#CONVERSATION#BOT", "2025-12-01T15:30:00Z"),
        },
    ),
}
