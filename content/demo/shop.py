"""The shop of the demo, as the website service writes it, and pictures that were uploaded here."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image, ImageDraw

from branding.public import read_picture
from content import media_files
from content.demo.library_items import SITES
from content.library.kinds import FILES
from content.library.shop_kinds import SHOP
from content.queries.library import key_of, shop_items_of
from content.services import library as services
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.moments import days_ago
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command
from dashboard.table.connection import table

BUSINESS, OWNER = SITES[0][0], SITES[0][1]
AT = "2026-05-12T10:00:00.501Z"
_LINE = {"productTitle": "Café en grano Andino 1 kg", "quantity": 2, "unitPrice": "14990", "totalPrice": 29980}
# By kind: the ids and the attributes.
ITEMS: dict[str, dict[str, dict[str, Any]]] = {
    "categories": {
        "cafe": {"name": "Café", "slug": "cafe", "status": "active", "sortOrder": 0, "parentId": None},
        "tazas": {"name": "Tazas y accesorios", "slug": "tazas", "status": "active", "sortOrder": 1, "parentId": None},
    },
    "orders": {
        "pedido-0017": {
            "orderNumber": "AND-0017",
            "customerName": "Otto Berger",
            "customerEmail": "otto@example.com",
            "items": [_LINE],
            "total": 29980,
            "currency": "CLP",
            "status": "confirmed",
        },
        "pedido-0018": {
            "orderNumber": "AND-0018",
            "customerName": "María de los Ángeles Fernández-Contreras",
            "items": [_LINE],
            "total": 14990,
            "currency": "CLP",
            "status": "placed",
        },
    },
    "coupons": {"invierno": {"code": "INVIERNO10", "type": "percentage", "value": "10", "status": "active"}},
    "coupon-codes": {"INVIERNO10": {"couponId": "invierno"}},
    "reviews": {
        "cafe-andino#r1": {"authorName": "Lena", "rating": 5, "content": "El mejor café.", "status": "approved"}
    },
    "popups": {"boletin": {"name": "Boletín", "trigger": {"type": "delay", "seconds": 5}, "status": "active"}},
    "visitor-forms": {"mayoristas": {"name": "Mayoristas", "slug": "mayoristas", "status": "active"}},
    "form-addresses": {"mayoristas": {"formId": "mayoristas", "formName": "Mayoristas"}},
    "form-entries": {
        "mayoristas#e1": {
            "formName": "Mayoristas",
            "submitterEmail": "ana@example.com",
            "data": {"Local": "Kiosco Sur"},
        }
    },
    "counters": {"ORDER": {"currentValue": 18}},
    "delivery": {"default": {"freeFrom": "25000", "days": ["MON", "THU"]}},
}
PICTURES = (("taza-azul.png", "#2a6f97", 2), ("bolsa-de-cafe.png", "#7f5539", 6))


def seed() -> int:
    """Add what is missing, and return how many items were added."""
    if find_business(BUSINESS) is None or shop_items_of(SHOP["categories"], BUSINESS, limit=1).items:
        return 0
    count = 0
    for kind, items in ITEMS.items():
        for item_id, values in items.items():
            _put(kind, item_id, {"createdAt": AT, **values})
            count += 1
    for name, color, days in PICTURES:
        _upload(name, color, days)
    return count + len(PICTURES)


def _put(kind: str, item_id: str, values: dict[str, Any]) -> None:
    """A whole item, as the service puts it."""
    key = key_of(SHOP[kind], BUSINESS, item_id)
    table().put_item(key.pk, key.sk, attributes={name: to_attribute(value) for name, value in values.items()})


def _upload(name: str, color: str, days: float) -> None:
    picture = read_picture(_drawing(color))
    key = media_files.store(BUSINESS, picture)
    values = {
        "fileType": picture.content_type,
        "size": len(picture.content),
        "s3Key": key,
        "uploadedBy": OWNER.email,
        "publicUrl": media_files.address_of(BUSINESS, media_files.name_of(picture)),
    }
    stored = {each: to_attribute(value) for each, value in values.items()}
    command = Command(f"demo-site-{BUSINESS}-media-{name}", OWNER)
    with days_ago(days, command.id):
        services.create(FILES, BUSINESS, {"file_name": name}, stored, item_id=picture.source[:32], command=command)


def _drawing(color: str) -> bytes:
    """A plain picture of a cup."""
    image = Image.new("RGB", (640, 480), "#f4f1ec")
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((180, 150, 420, 380), 28, fill=color)
    draw.arc((390, 190, 500, 310), -90, 90, fill=color, width=26)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
