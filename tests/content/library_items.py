"""Products, resources, contexts, signals and files for tests, as the website service writes them."""

from __future__ import annotations

from typing import Any

from content import media_files
from content.files import put_file
from content.library.kind import LibraryKind
from content.library.kinds import LIBRARY
from content.queries.library import history_of, key_of
from content.services import library as services
from dashboard.core.ids import new_id
from dashboard.table import read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.items import Raw
from tests.adoption.outside import follow, put_raw
from tests.branding.pictures import make_picture
from tests.conftest import ACTOR
from tests.content.site import BUSINESS, SITE

ID = "51a0c001-aaaa-4bbb-8ccc-ddddddddd001"
AT = "2026-05-12T05:00:31.450Z"
# What the service writes, without its keys, ids and times.
EXAMPLES: dict[str, dict[str, Any]] = {
    "products": {
        "TenantSlug": "andina#walnut-rug",
        "status": "active",
        "title": "Walnut rug",
        "slug": "walnut-rug",
        "sku": "WR-120",
        "description": "120×180 cm",
        "price": "349.00",
        "currency": "EUR",
        "salePrice": "299.00",
        "volumePricing": [{"minQuantity": 3, "price": "279.00"}],
        "availability": "in_stock",
        "inventoryQuantity": 4,
        "tags": ["undyed", "flat weave"],
        "imageLink": "https://cdn.example.com/walnut.jpg",
        "sortOrder": 0,
        "weight": 5200,
    },
    "resources": {"fileName": "guide.pdf", "s3Key": f"{BUSINESS}/{ID}-guide.pdf", "uploadedBy": "8e20d9aa"},
    "contexts": {
        "title": "Brand voice",
        "blocks": [{"type": "paragraph", "content": [{"type": "text", "text": "Warm, short sentences."}]}],
        "tags": ["voice"],
        "createdBy": "8e20d9aa",
    },
    "signals": {
        "source": "Reddit",
        "url": "https://reddit.example/r/weaving/abc",
        "title": "Where to buy undyed rugs?",
        "contentSnapshot": "Looking for a mill that…",
        "author": "u/weftwise",
        "painScore": 8,
        "walletSignal": True,
        "analysis": "Named a budget.",
        "status": "New",
    },
    "files": {
        "fileName": "loom.webp",
        "fileType": "image/webp",
        "size": 284113,
        "s3Key": f"{BUSINESS}/{ID}-loom.webp",
        "publicUrl": "https://cdn.example.com/andina/loom.webp",
        "uploadedBy": "8e20d9aa",
    },
}
# The attribute that names an item.
TITLES = {"products": "title", "resources": "fileName", "contexts": "title", "signals": "title", "files": "fileName"}


def put_outside(
    kind: LibraryKind | str, item_id: str = ID, *, business: str = BUSINESS, is_followed: bool = True, **attributes: Any
) -> Raw:
    """An item as the service writes it. The follower puts it into its list."""
    kind = LIBRARY[kind] if isinstance(kind, str) else kind
    values = {"id": item_id, "tenantId": business, "createdAt": AT, "Type": kind.type_name} | EXAMPLES[kind.key]
    raw = put_raw(key_of(kind, business, item_id), **values | attributes)
    if is_followed:
        follow(raw)
    return raw


def stored(kind: LibraryKind | str, item_id: str = ID, *, business: str = BUSINESS) -> Raw | None:
    kind = LIBRARY[kind] if isinstance(kind, str) else kind
    return read.raw_item(key_of(kind, business, item_id))


def content_of(raw: Raw | None) -> Raw:
    """What services wrote: without the revision, our stamps and the keys in the indexes."""
    ours = {"revision", "updatedAt", "updatedBy", "updatedByName"}
    return {name: value for name, value in (raw or {}).items() if name not in ours and not name.startswith("GSI")}


def library_url(kind: LibraryKind | str) -> str:
    return f"{SITE}{kind if isinstance(kind, str) else kind.key}/"


def library_item_url(kind: LibraryKind | str, item_id: str = ID) -> str:
    return f"{library_url(kind)}{item_id}/"


def actions_of(kind: LibraryKind | str, item_id: str = ID) -> list[str]:
    kind = LIBRARY[kind] if isinstance(kind, str) else kind
    return sorted(each.action or "" for each in history_of(kind, BUSINESS, item_id, limit=50))


def create_context(business: str = BUSINESS) -> tuple[str, str]:
    """A context with an attribute of a service that nobody knows: its kind and its id."""
    values = {"title": "Brand voice", "text": "Warm, short sentences."}
    unknown = {"audience": to_attribute(["weavers"]), "settings": to_attribute({"apiKey": "sk-1", "level": 2})}
    created = services.create(LIBRARY["contexts"], business, values, unknown, command=new_command(ACTOR))
    return "contexts", str(created.key_parts["id"])


def put_signal(business: str = BUSINESS) -> str:
    """A signal of the service."""
    signal_id = f"signal-{new_id()}"
    put_outside("signals", signal_id, business=business)
    return signal_id


def put_resource(business: str = BUSINESS, content: bytes = b"%PDF-1.4 guide") -> str:
    """A resource of the service whose file is in the storage."""
    resource_id = f"resource-{new_id()}"
    key = f"{business}/{resource_id}-guide.pdf"
    put_file(key, content)
    put_outside("resources", resource_id, business=business, s3Key=key)
    return resource_id


def put_site_file(business: str = BUSINESS) -> str:
    """A picture of the service."""
    file_id = f"file-{new_id()}"
    put_outside("files", file_id, business=business)
    return file_id


def put_media_file(business: str = BUSINESS) -> str:
    """The name of a public picture in the storage."""
    picture = make_picture()
    media_files.store(business, picture)
    return media_files.name_of(picture)
