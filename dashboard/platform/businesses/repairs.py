"""Repairs of businesses: outside writers do not reserve slugs and domains, and do not mark ownerless businesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from dashboard.core.clock import now
from dashboard.platform.audit.services import build_entry
from dashboard.platform.businesses.items import Business, Domain, OwnerlessBusiness, Slug
from dashboard.platform.businesses.queries import find_addresses, find_business, find_ownerless, members
from dashboard.platform.businesses.services.member_copies import update_after_outside_change
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.lost_attributes import restore_lost_attributes
from dashboard.platform.stream.rules import follows_repair_of, repairs_of
from dashboard.table.commands import SYSTEM
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, Key

Address = Slug | Domain
Addresses = dict[Key, Address | None]
# What members have a copy of.
_COPIED = frozenset({"name", "status"})
# The entries of `settings` that we write (`Business`).
_OUR_SETTINGS = ("language", "defaultTimezone", "widget", "booking")


def load_addresses(change: Change) -> Addresses | None:
    """The items that reserve the current and the previous slug and domain; None if these have not changed."""
    current, previous = _addresses(change.new_item), _addresses(change.old_item)
    if change.old is not None and current.keys() == previous.keys():
        return None
    return find_addresses([*current, *(key for key in previous if key not in current)])


@repairs_of("tenant", load=load_addresses)
def repair_business(change: Change, found: Addresses | None) -> Iterable[Write]:
    yield from restore_lost_attributes(change, ("statusReason",))
    yield from _restore_settings(change)
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


@follows_repair_of("tenant")
def update_copies(change: Change) -> None:
    """The members have copies of the name and the status, and there may be more of them than a transaction can have."""
    item = change.new_item
    # Before a Put, another change of the same batch may have changed the name.
    is_relevant = change.old is None or change.is_replaced or change.changed & _COPIED
    if not is_relevant or not isinstance(item, Business) or not item.key_parts:
        return
    # The current state: of two changes the later one may be handled first.
    business = find_business(item.id)
    if business is not None:
        update_after_outside_change(business)


def _restore_settings(change: Change) -> Iterator[Write]:
    """The entries of `settings` that people set here: a Put may contain the map without them, or no map."""
    if not change.is_replaced or change.new is None:
        return
    stored = change.new.get("settings", {"M": {}})
    before = (change.old or {}).get("settings", {}).get("M", {})
    lost = {name: before[name] for name in _OUR_SETTINGS if name in before and name not in stored.get("M", {})}
    if lost and "M" in stored:
        yield Write(change.key, {"settings": {"M": stored["M"] | lost}})


def _release(holder: Address | None, business: str) -> Iterator[Write]:
    if holder is not None and holder.business_id == business:
        yield Write(holder.key, expected={"tenantId": holder.raw.get("tenantId")}, deletes=True)


def _addresses(item: Item | None) -> dict[Key, Address]:
    """The reservations that a business should have. A value that no key can contain needs none."""
    found: dict[Key, Address] = {}
    if not isinstance(item, Business) or not item.key_parts:
        return found
    addresses: list[tuple[type[Address], str, str | None]] = [
        (Slug, "slug", item.slug),
        (Domain, "domain", item.domain),
    ]
    for kind, part, value in addresses:
        with suppress(BadKey):
            if value:
                address = kind.new(**{part: value})
                address.business_id, address.created_at = item.id, now()
                found[address.key] = address
    return found


@dataclass(frozen=True)
class Ownership:
    """The name of a business, whether it has an owner, and its mark if it has none."""

    name: str
    has_owner: bool
    mark: OwnerlessBusiness | None


def load_ownership(change: Change) -> Ownership | None:
    """For a member, and for a business that is new or indexed again. None for other changes."""
    item = change.new_item or change.old_item
    business = str(item.key_parts.get("tenant", "")) if item else ""
    if not business or (isinstance(item, Business) and change.old is not None):
        return None
    current = item if isinstance(item, Business) else find_business(business)
    if current is None:
        return None
    return Ownership(current.title, any(each.is_active_owner for each in members(business)), find_ownerless(business))


@repairs_of("tenant", load=load_ownership)
@repairs_of("member", load=load_ownership, on_delete=True)
def repair_ownerless_mark(change: Change, ownership: Ownership | None) -> Iterable[Write]:
    item = change.new_item or change.old_item
    if ownership is None or item is None:
        return
    if ownership.has_owner and ownership.mark is not None:
        yield Write(ownership.mark.key, deletes=True)
    elif not ownership.has_owner and ownership.mark is None:
        mark = OwnerlessBusiness.new(tenant=str(item.key_parts["tenant"]))
        mark.name, mark.created_at = ownership.name, now()
        yield Write.of_new(mark)
