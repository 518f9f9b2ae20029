"""Events about stock."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.webhooks.events import EventType, WebhookEvent, event_after, register_event
from franchises.items import Movement, StockItem
from franchises.items.stock import LOW_STOCK_CHANGE
from franchises.queries.products import load_product

LOW = "stock.low"

register_event(
    EventType(
        LOW,
        label=_("The stock of a product falls to its minimum"),
        sample={
            "product_id": "product-001",
            "name": "Coca-Cola 600 ml",
            "sku": "CC600",
            "branch_id": "branch-001",
            "stock": 4,
            "min_stock": 5,
        },
    )
)


@event_after(LOW_STOCK_CHANGE)
def fell_to_minimum(movement: Movement) -> WebhookEvent:
    """The stock after the movement, and the product as it is now."""
    business = str(movement.key_parts["tenant"])
    data = {"branch_id": movement.branch_id, "name": movement.name, "stock": movement.after}
    try:
        product = load_product(business, movement.product_id)
    except NotFound:
        return _event(movement.product_id, data)
    return _event(movement.product_id, data | {"sku": product.sku, "min_stock": product.min_stock})


@event_after("product.edit")
def raised_minimum(entry: AuditEntry) -> WebhookEvent | None:
    """A minimum that was raised to the stock or above it."""
    before, after = entry.before or {}, entry.after or {}
    minimum, previous = after.get("min_stock"), before.get("min_stock")
    if minimum is None or minimum == previous:
        return None
    product_id = str(entry.target_data.get("id") or "").partition(":")[2]
    try:
        product = load_product(entry.record_place.business, product_id)
    except NotFound:
        return None
    stock = product.stock
    was_low = previous is not None and stock is not None and stock <= float(previous)
    return None if was_low or not product.is_low else _event(product.id, _data_of(product))


def _data_of(product: StockItem) -> dict[str, object]:
    return {
        "branch_id": product.branch_id,
        "name": product.name,
        "stock": product.stock,
        "sku": product.sku,
        "min_stock": product.min_stock,
    }


def _event(product_id: str, data: dict[str, object]) -> WebhookEvent:
    return WebhookEvent(LOW, f"product:{product_id}", {"product_id": product_id, **data})
