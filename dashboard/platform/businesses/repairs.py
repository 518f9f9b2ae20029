"""Repairs of businesses: outside writers do not reserve the slug and the domain that they give a business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from dashboard.core.clock import now
from dashboard.platform.audit.services import build_entry
from dashboard.platform.businesses.items import Business, Domain, Slug
from dashboard.platform.businesses.queries import find_addresses
from dashboard.platform.stream.lost_attributes import restore_lost
from dashboard.platform.stream.repairs import Change, Write, repairs_of
from dashboard.table.commands import SYSTEM
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, Key

Address = Slug | Domain
Addresses = dict[Key, Address | None]


def load_addresses(change: Change) -> Addresses | None:
    """The items that reserve the current and the previous slug and domain; None if these have not changed."""
    current, previous = _addresses(change.new_item), _addresses(change.old_item)
    if change.old is not None and current.keys() == previous.keys():
        return None
    return find_addresses([*current, *(key for key in previous if key not in current)])


@repairs_of("tenant", load=load_addresses)
def repair_business(change: Change, found: Addresses | None) -> Iterable[Write]:
    yield from restore_lost(change, ("statusReason",))
    business = change.new_item
    if found is None or not isinstance(business, Business):
        return
    current = _addresses(business)
    taken: dict[str, str] = {}
    for key, address in current.items():
        holder = found.get(key)
        if holder is None:
            yield Write.of_new(address)
        elif holder.business_id != business.id:
            taken |= {name: str(part) for name, part in address.key_parts.items()}
    # Otherwise every reindex would add an audit entry.
    is_first_repair = "GSITypePK" not in business.raw
    if taken and (change.old is not None or is_first_repair):
        # The first business keeps the address; this one keeps its attribute, and an admin decides.
        yield Write.of_new(
            build_entry(
                SYSTEM, "business.address_taken", target=business.id, kind="business", title=business.title, after=taken
            )
        )
    for key in _addresses(change.old_item).keys() - current.keys():
        yield from _release(found.get(key), business.id)


def _release(holder: Address | None, business: str) -> Iterator[Write]:
    if holder is not None and holder.business_id == business:
        yield Write(holder.key, expected={"tenantId": holder.raw.get("tenantId")}, deletes=True)


def _addresses(item: Item | None) -> dict[Key, Address]:
    """The reservations that a business should have. A value that no key can contain needs none."""
    found: dict[Key, Address] = {}
    if not isinstance(item, Business) or not item.key_parts:
        return found
    wanted: list[tuple[type[Address], str, str | None]] = [(Slug, "slug", item.slug), (Domain, "domain", item.domain)]
    for kind, part, value in wanted:
        with suppress(BadKey):
            if value:
                address = kind.new(**{part: value})
                address.business_id, address.created_at = item.id, now()
                found[address.key] = address
    return found
