"""Queries for businesses and their members."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.core.names import folded
from dashboard.platform.businesses.fields import BUSINESS_FIELDS
from dashboard.platform.businesses.items import Business, Domain, Member, OwnerlessBusiness, RemainingOwner, Slug
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

IN_LISTS = BUSINESS_FIELDS.list_attributes("tenantId", "createdAt")
PAGE = 50
# The maximum of members, so that a rename copies and a page lists few items.
MAX_MEMBERS = 50
# Members in one query.
AT_ONCE = 200


@access_pattern("Which businesses does this person own?", keys.MEMBERS_OF_OWNER)
def businesses_of(email: str, limit: int = 50) -> list[Member]:
    return read.page(keys.MEMBERS_OF_OWNER.collection(email=email), Member, limit=limit).items


@access_pattern("Which businesses does this person own, without a limit?", keys.MEMBERS_OF_OWNER)
def all_businesses_of(email: str) -> list[Member]:
    """A rule about owners must not miss one."""
    return read.every_item(keys.MEMBERS_OF_OWNER.collection(email=email), Member, limit=AT_ONCE)


@access_pattern("Which businesses recently lost an owner because this person remains?", keys.REMAINING_OWNER)
def find_remaining_owner(email: str) -> RemainingOwner | None:
    return read.get(RemainingOwner, keys.REMAINING_OWNER.key(email=email))


@access_pattern("Which business has this id?", keys.TENANT)
def find_business(business: str) -> Business | None:
    try:
        return read.get(Business, keys.TENANT.key(tenant=business))
    except BadKey:
        return None


def load_business(business: str) -> Business:
    found = find_business(business)
    if found is None:
        raise NotFound
    return found


@access_pattern("Which businesses are there, by name?", keys.TENANTS)
def businesses(prefix: str = "", start_key: Any = None, limit: int = PAGE) -> read.Page[Business]:
    collection = keys.TENANTS.collection()
    return read.page(
        collection, Business, starts_with=folded(prefix), start_key=start_key, limit=limit, attributes=IN_LISTS
    )


@access_pattern("Which businesses have this status, by name?", keys.TENANTS_BY_STATUS)
def businesses_with_status(status: str, prefix: str = "", start_key: Any = None) -> read.Page[Business]:
    collection = keys.TENANTS_BY_STATUS.collection(status=status)
    return read.page(
        collection, Business, starts_with=folded(prefix), start_key=start_key, limit=PAGE, attributes=IN_LISTS
    )


@access_pattern("Which businesses have this domain?", keys.TENANT_BY_DOMAIN)
def businesses_with_domain(domain: str) -> list[Business]:
    """From the index: it also finds businesses of outside writers, which have no domain item."""
    collection = keys.TENANT_BY_DOMAIN.collection(domain=domain)
    return read.page(collection, Business, limit=2, attributes=("domain",)).items


@access_pattern("Which business has reserved this domain?", keys.DOMAIN)
def find_reservation(domain: str) -> Domain | None:
    return read.get(Domain, keys.DOMAIN.key(domain=domain))


def find_business_of_domain(domain: str) -> str | None:
    """The id of the business that visitors reach at a domain; None for no business. One round trip.

    Outside writers can give several businesses the same domain: it is of the one that reserved it.
    """
    found, reservation = read.gather(partial(businesses_with_domain, domain), partial(find_reservation, domain))
    owners = [each.id for each in found]
    if reservation is not None and reservation.business_id in owners:
        return reservation.business_id
    return owners[0] if len(owners) == 1 else None


@access_pattern("Which businesses use these slugs and domains?", keys.SLUG, keys.DOMAIN)
def find_addresses(address_keys: Sequence[Key]) -> dict[Key, Slug | Domain | None]:
    """The items that reserve them, in one consistent call."""
    found = read.get_many(address_keys) if address_keys else []
    return {
        key: each if isinstance(each, Slug | Domain) else None for key, each in zip(address_keys, found, strict=True)
    }


@access_pattern("Who are the members of this business?", keys.MEMBER, partition=True)
def members(business: str) -> list[Member]:
    """All of them. An outside writer, or several invitations at the same moment, can exceed the maximum."""
    return read.every_item(keys.MEMBER.collection(tenant=business), Member, limit=AT_ONCE, consistent=True)


@access_pattern("Is this person a member of this business?", keys.MEMBER)
def find_member(business: str, email: str) -> Member | None:
    try:
        return read.get(Member, keys.MEMBER.key(tenant=business, email=email))
    except BadKey:
        return None


@access_pattern("Which businesses have no owner?", keys.OWNERLESS, partition=True)
def ownerless_businesses(limit: int = PAGE) -> read.Page[OwnerlessBusiness]:
    return read.page(keys.OWNERLESS.collection(), OwnerlessBusiness, limit=limit)


@access_pattern("Is this business marked as one without an owner?", keys.OWNERLESS)
def find_ownerless(business: str) -> OwnerlessBusiness | None:
    try:
        return read.get(OwnerlessBusiness, keys.OWNERLESS.key(tenant=business))
    except BadKey:
        return None
