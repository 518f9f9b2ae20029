"""Queries for businesses and owners that the table names and that are unknown here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from dashboard.core.names import folded
from dashboard.platform.accounts import emails
from dashboard.platform.accounts.items import Person
from dashboard.platform.adoption.items import OutsideOwner, UnknownBusiness
from dashboard.platform.adoption.kinds import OWN_KINDS, kind_in_list, kind_label
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.masking import masked_key
from dashboard.table.registry import access_pattern

PAGE = 50
# A search reads this many ids at a time.
SEARCHED = 500
# A partition is counted up to this many items.
MAX_COUNTED = 100
# One job adopts this many businesses at the most.
MAX_ADOPTED = 1_000


@dataclass(frozen=True)
class KindSummary:
    """The items of one kind: how many were counted, and one of them."""

    kind: str
    count: int
    # There may be more: the partition is larger than what was read.
    has_more: bool
    example: Key

    @property
    def label(self) -> str:
        return kind_label(self.kind)

    @property
    def example_text(self) -> str:
        """The key of the example, in which only the beginning of a hash is left."""
        return " / ".join(map(masked_key, self.example))


@dataclass(frozen=True)
class BusinessLookup:
    """Whether the business of an item exists, and what is recorded about it if it does not."""

    exists: bool = True
    unknown_business: UnknownBusiness | None = None


@dataclass(frozen=True)
class OwnerLookup:
    """What is known about the owner that a business names."""

    person: Person | None = None
    owner: OutsideOwner | None = None
    unknown_business: UnknownBusiness | None = None


@access_pattern("Which ids appear in the table and are not a business?", keys.UNKNOWN_BUSINESS, partition=True)
def unknown_businesses(start_key: Any = None, limit: int = PAGE) -> read.Page[UnknownBusiness]:
    return read.page(
        keys.UNKNOWN_BUSINESS.collection(), UnknownBusiness, limit=limit, start_key=start_key, consistent=True
    )


def search_unknown_businesses(text: str, start_key: Any = None) -> read.Page[UnknownBusiness]:
    """The ids and names that contain a text, among those that one query reads."""
    searched, page = folded(text), unknown_businesses(start_key, SEARCHED)
    matching = [each for each in page.items if searched in folded(f"{each.id} {each.name or ''}")]
    return read.Page(matching, page.next_start_key)


def all_unknown_businesses() -> list[UnknownBusiness]:
    """The ids that one job adopts."""
    businesses: list[UnknownBusiness] = []
    start_key = None
    while len(businesses) < MAX_ADOPTED:
        page = unknown_businesses(start_key, SEARCHED)
        businesses, start_key = businesses + page.items, page.next_start_key
        if start_key is None:
            break
    return businesses[:MAX_ADOPTED]


@access_pattern("What was recorded about this id?", keys.UNKNOWN_BUSINESS)
def find_unknown_business(business: str) -> UnknownBusiness | None:
    try:
        return read.get(UnknownBusiness, keys.UNKNOWN_BUSINESS.key(business_id=business))
    except BadKey:
        return None


@access_pattern("Which items are in a partition of this id?", keys.AUDIT, partition=True)
def _keys_in(collection: Any) -> read.Page[Raw]:
    return read.raw_page(collection, limit=MAX_COUNTED, attributes=("PK", "SK", "name"))


def contents_reads(business: str) -> list[Any]:
    """The reads that count the items of an id, to run with others in one round trip."""
    return [partial(_keys_in, collection) for collection in keys.business_partitions(business)]


def summarize_kinds(pages: list[read.Page[Raw]], unknown: UnknownBusiness | None) -> list[KindSummary]:
    """The kinds in these partitions, and those that were recorded in others, by name."""
    kinds: dict[str, KindSummary] = {}
    for page in pages:
        items = [key_of(raw) for raw in page.items]
        counts, has_more = Counter(map(kind_in_list, items)), page.next_start_key is not None
        for key in reversed(items):
            kind = kind_in_list(key)
            kinds[kind] = KindSummary(kind, counts[kind], has_more, key)
    for kind, key in (unknown.examples if unknown else {}).items():
        kinds.setdefault(kind, KindSummary(kind, 1, True, key))
    return sorted((each for each in kinds.values() if each.kind not in OWN_KINDS), key=lambda each: each.kind)


@access_pattern("What has been done in this business since then?", keys.AUDIT, partition=True)
def entries_since(business: str, since: str) -> read.Page[AuditEntry]:
    attributes = ("action", "operation")
    collection = keys.AUDIT.collection(tenant=business)
    return read.page(collection, AuditEntry, since=since, limit=PAGE, attributes=attributes, consistent=True)


@access_pattern("Which owners do businesses name that are no account?", keys.OUTSIDE_OWNER, partition=True)
def outside_owners(start_key: Any = None) -> read.Page[OutsideOwner]:
    return read.page(keys.OUTSIDE_OWNER.collection(), OutsideOwner, limit=PAGE, start_key=start_key, consistent=True)


@access_pattern("Who is the owner with this id of another system?", keys.OUTSIDE_OWNER)
def find_owner(owner: str) -> OutsideOwner | None:
    try:
        return read.get(OutsideOwner, keys.OUTSIDE_OWNER.key(owner=owner))
    except BadKey:
        return None


@access_pattern("Is this id a business, and what is recorded about it?", keys.TENANT, keys.UNKNOWN_BUSINESS)
def look_up_business(business: str) -> BusinessLookup:
    business_key, unknown_key = keys.TENANT.key(tenant=business), keys.UNKNOWN_BUSINESS.key(business_id=business)
    current, unknown = read.get_many([business_key, unknown_key])
    return BusinessLookup(isinstance(current, Business), unknown if isinstance(unknown, UnknownBusiness) else None)


@access_pattern(
    "Is the owner of this business known, and was its id recorded?",
    keys.PERSON,
    keys.OUTSIDE_OWNER,
    keys.UNKNOWN_BUSINESS,
)
def look_up_owner(business: str, owner: str) -> OwnerLookup:
    keys_to_read = [keys.UNKNOWN_BUSINESS.key(business_id=business)]
    if owner:
        keys_to_read.append(keys.OUTSIDE_OWNER.key(owner=owner))
    if owner and "#" not in owner:
        keys_to_read.append(keys.PERSON.key(email=emails.normalise(owner)))
    items = read.get_many(keys_to_read)
    by_class: dict[type, Any] = {type(each): each for each in items if each is not None}
    return OwnerLookup(by_class.get(Person), by_class.get(OutsideOwner), by_class.get(UnknownBusiness))
