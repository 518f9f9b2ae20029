"""Queries for webhooks and their deliveries."""

from __future__ import annotations

from typing import Any, cast

from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.platform.webhooks.items import Delivery, Webhook, delivery_key, webhook_key
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

PAGE = 50


def _scope(business: str) -> dict[str, str]:
    return {"tenant": business} if business else {}


@access_pattern("Which webhooks are there?", keys.WEBHOOK, keys.SYSTEM_WEBHOOK, partition=True)
def webhooks_of(business: str) -> list[Webhook]:
    """Those of a business, or without one of the platform. A consistent read: no event may miss a new webhook."""
    pattern = keys.WEBHOOK if business else keys.SYSTEM_WEBHOOK
    collection = pattern.collection(**_scope(business))
    return read.page(collection, Webhook, limit=100, attributes=Webhook.IN_LISTS, consistent=True).items


@access_pattern("Which webhook is this?", keys.WEBHOOK, keys.SYSTEM_WEBHOOK)
def load_webhook(business: str, webhook_id: str) -> Webhook:
    try:
        found = read.get(Webhook, webhook_key(business, webhook_id))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern(
    "What was sent to this webhook, the newest first?",
    *(keys.DELIVERIES, keys.DELIVERIES_BY_STATE, keys.SYSTEM_DELIVERIES, keys.SYSTEM_DELIVERIES_BY_STATE),
)
def deliveries(
    business: str, webhook_id: str, state: str = "", start_key: Any = None, limit: int = PAGE
) -> read.Page[Delivery]:
    parts = _scope(business) | {"webhook": webhook_id}
    if state:
        pattern = keys.DELIVERIES_BY_STATE if business else keys.SYSTEM_DELIVERIES_BY_STATE
        collection = pattern.collection(**parts, state=state)
    else:
        collection = (keys.DELIVERIES if business else keys.SYSTEM_DELIVERIES).collection(**parts)
    attributes = Delivery.IN_LISTS
    return read.page(collection, Delivery, newest_first=True, start_key=start_key, limit=limit, attributes=attributes)


@access_pattern("Which delivery is this?", keys.DELIVERY, keys.SYSTEM_DELIVERY)
def load_delivery(business: str, place: str) -> Delivery:
    at, _separator, delivery_id = place.partition("_")
    try:
        found = read.get(Delivery, delivery_key(business, at, delivery_id))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern("May this delivery be sent?", keys.WEBHOOK, keys.SYSTEM_WEBHOOK, keys.TENANT)
def find_receiver(delivery: Delivery) -> tuple[Webhook | None, Business | None]:
    """The webhook and its business, in one consistent read."""
    wanted = [webhook_key(delivery.business, delivery.webhook_id)]
    if delivery.business:
        wanted.append(keys.TENANT.key(tenant=delivery.business))
    webhook, *business = read.get_many(wanted)
    return cast(Webhook | None, webhook), cast(Business | None, business[0] if business else None)


@access_pattern(
    "Which delivery about this object is the first in the queue?",
    *(keys.WAITING_DELIVERIES, keys.SYSTEM_WAITING_DELIVERIES),
)
def first_waiting(delivery: Delivery) -> Delivery | None:
    """From an index, which may lag: the order is only marked by `DeliveryOrder`."""
    pattern = keys.WAITING_DELIVERIES if delivery.business else keys.SYSTEM_WAITING_DELIVERIES
    collection = pattern.collection(**_scope(delivery.business), webhook=delivery.webhook_id, object=delivery.object)
    found = read.page(collection, Delivery, limit=1, attributes=("state", "dueAt")).items
    return found[0] if found else None
