"""The products, resources, contexts, signals and media of the demo, with attributes as the website service has them."""

from __future__ import annotations

from typing import Any

from content.demo.library_items import SITES, DemoItem
from content.files import key_for, put_file
from content.items import SignalStatus
from content.library.digests import digest_of
from content.library.kinds import FILES, LIBRARY, RESOURCES, SIGNALS
from content.queries.library import items_of, load_item
from content.services import library as services
from dashboard.platform.businesses.queries import find_business
from dashboard.platform.demos.moments import days_ago
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Actor, Command
from dashboard.table.items import Raw


def seed() -> int:
    """Add what is missing, and return how many items were added."""
    return sum(_fill(business, owner, kind, items) for business, owner, kind, items in SITES)


def _fill(business: str, owner: Actor, kind_key: str, items: tuple[DemoItem, ...]) -> int:
    kind = LIBRARY[kind_key]
    if find_business(business) is None or items_of(kind, business, limit=1).items:
        return 0
    for number, item in enumerate(items):
        name = f"demo-site-{business}-{kind.key}-{number}"
        with days_ago(item.days, name):
            stored = _stored(business, kind_key, item)
            created = services.create(kind, business, dict(item.values), stored, command=Command(name, owner))
            item_id = kind.id_of(created)
        if kind is SIGNALS and item.status:
            with days_ago(item.days - 0.5, f"{name}-mark"):
                _mark(business, item_id, item.status, Command(f"{name}-mark", owner))
    return len(items)


def _stored(business: str, kind: str, item: DemoItem) -> Raw:
    """The attributes of the website service that no form has."""
    attributes: dict[str, Any] = dict(item.attributes)
    if kind == RESOURCES.key:
        content = item.content.encode()
        attributes["s3Key"] = key_for(business, str(item.values["file_name"]), content)
        put_file(attributes["s3Key"], content)
    elif kind == FILES.key:
        attributes["s3Key"] = f"{business}/{item.values['file_name']}"
        attributes["publicUrl"] = f"https://cdn.trastienda.example/{attributes['s3Key']}"
    return {name: to_attribute(value) for name, value in attributes.items()}


def _mark(business: str, signal_id: str, status: SignalStatus, command: Command) -> None:
    signal = load_item(SIGNALS, business, signal_id)
    services.mark(business, signal_id, status, revision=signal.revision, digest=digest_of(signal), command=command)
