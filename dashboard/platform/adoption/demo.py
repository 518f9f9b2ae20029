"""Demo items as outside writers store them: three ids that are not a business, and an owner of another system."""

from __future__ import annotations

from typing import Any

from dashboard.platform.stream.batches import repair
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import ItemChange
from dashboard.platform.stream.repairs import compute_repairs
from dashboard.platform.stream.rules import RepairContext
from dashboard.table import connection, keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

_BAKERY, _FRANCHISE, _STUDIO, _SHOP = "Pan_Caliente", "3f1c9a70-55b2-4c1e-8a0d-6f9e2b7c1001", "studio.sur", "0f9a77b1"
_OWNER = "7d0c1f3e-2222-4a2b-9c3d-0a1b2c3d4e5f"


def _items() -> list[tuple[Key, dict[str, Any]]]:
    bakery, studio = {"tenant": _BAKERY}, {"tenant": _STUDIO}
    palette = {"palette.primary": "#8b4513", "palette.secondary": "#f5deb3"}
    return [
        (keys.BRAND_META.key(**bakery), {"type": "BUSINESS", "name": "Panadería Pan Caliente"}),
        (
            keys.THEME.key(version=1, **bakery),
            {
                "type": "THEME",
                "version": 1,
                "status": "DRAFT",
                "updatedAt": "2026-05-10T12:00:00Z",
                "metadata": palette,
            },
        ),
        (keys.FRANCHISE.key(tenant=_FRANCHISE), {"id": _FRANCHISE, "name": "Arepas La Ceiba"}),
        (keys.BRANCH.key(tenant=_FRANCHISE, branch="001"), {"name": "Sucursal Norte"}),
        (keys.STOCK.key(tenant=_FRANCHISE, product="001"), {"name": "Arepa de queso", "branchId": "001", "stock": 40}),
        (
            keys.SERVICE.key(service="svc_5c0ffee1", **studio),
            {"name": "Masaje relajante", "durationMinutes": 60, "price": "25000.0", "active": True},
        ),
        (keys.PROVIDER.key(provider="pro_0a1b2c3d", **studio), {"name": "Dana Ruiz", "services": ["svc_5c0ffee1"]}),
        (
            keys.TENANT.key(tenant=_SHOP),
            {"name": "Nueva Pyme", "slug": "nueva-pyme-3fa1", "status": "TRIAL", "plan": "LITE", "ownerUserId": _OWNER},
        ),
    ]


def seed() -> int:
    """Add the missing items; returns their number. Adopted ids stay adopted."""
    demo_items = _items()
    existing = read.get_many([key for key, _ in demo_items])
    missing = [item for item, found in zip(demo_items, existing, strict=True) if found is None]
    for key, attributes in missing:
        raw: Raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
        raw |= {name: to_attribute(value) for name, value in attributes.items()}
        # As the follower leaves them, which may not run while demo data is made.
        for own in compute_repairs(None, raw, RepairContext()):
            raw |= {name: value for name, value in own.values.items() if value is not None}
        connection.client().put_item(TableName=connection.table().table_name, Item=raw)
        repair(ItemChange.of(Change(None, raw)))
    return len(missing)


def seed_demo(size: int) -> str:
    return f"{seed()} items of other services"
