"""The shop and the forms of a site for tests, as the website service writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from content.library.shop_kinds import SHOP
from content.queries.library import key_of
from dashboard.table import connection
from dashboard.table.items import Raw
from tests.adoption.outside import put_raw
from tests.content.site import BUSINESS

SAMPLES = Path(__file__).parents[1] / "transfer" / "outside_items.jsonl"
OUTSIDE_BUSINESS = "fern-and-loom"
PRODUCT_ID, ORDER_ID, EMAIL = "2d2d2d2d-0000-4000-8000-000000000001", "0d0d0d0d-0000-4000-8000-000000000001", "o@x.com"
# An item of each kind: its id and some of its attributes.
ITEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "categories": ("c1", {"name": "Rugs", "slug": "rugs", "TenantSlug": "andina#rugs", "parentId": None}),
    "orders": (
        ORDER_ID,
        {"orderNumber": "PPB-0017", "customerName": "Otto B.", "total": 553.2, "currency": "EUR", "status": "placed"},
    ),
    "coupons": ("c1", {"code": "SPRING10", "type": "percentage", "value": "10", "status": "active"}),
    "reviews": (
        f"{PRODUCT_ID}#r1",
        {"authorName": "Lena", "rating": 5, "content": "Cat approved.", "status": "pending"},
    ),
    "popups": ("p1", {"name": "Newsletter", "trigger": {"type": "delay", "seconds": 5}, "status": "active"}),
    "visitor-forms": ("f1", {"name": "Wholesale", "slug": "wholesale", "fields": [{"id": "a", "label": "Company"}]}),
    "form-entries": (
        "f1#e1",
        {"formName": "Wholesale", "submitterEmail": EMAIL, "data": {"Company": "Hygge ApS"}, "status": "new"},
    ),
    "delivery": ("default", {"freeFrom": "50.00", "days": ["MON", "THU"]}),
    "category-products": (f"c1#{PRODUCT_ID}", {"title": "Walnut rug", "price": "299.000", "currency": "EUR"}),
    "customer-orders": (f"{EMAIL}#{ORDER_ID}", {"orderNumber": "PPB-0017", "total": 553.2, "currency": "EUR"}),
    "coupon-codes": ("SPRING10", {"couponId": "c1"}),
    "form-addresses": ("wholesale", {"formId": "f1", "formName": "Wholesale"}),
    "counters": ("ORDER", {"currentValue": 17}),
    "moved-media": ("700c86a065d4e9064b25564108d43bba", {"oldUrl": "https://old.example/a.jpg", "newUrl": "/a.jpg"}),
}


def put_shop_item(kind: str, item_id: str = "", *, business: str = BUSINESS, **attributes: Any) -> Raw:
    known_id, values = ITEMS[kind]
    return put_raw(key_of(SHOP[kind], business, item_id or known_id), **values | attributes)


def put_samples() -> list[Raw]:
    """The invented items of a site of the website service, in a business of ours."""
    lines = [json.loads(line)["Item"] for line in SAMPLES.read_text().splitlines() if line.strip()]
    partition = {"S": f"TENANT#{OUTSIDE_BUSINESS}"}
    found = [raw | {"PK": {"S": f"TENANT#{BUSINESS}"}} for raw in lines if raw.get("PK") == partition]
    for raw in found:
        connection.client().put_item(TableName=connection.table().table_name, Item=raw)
    return found
