"""Queries for what was found in the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from dashboard.core.names import folded
from dashboard.platform.accounts import emails
from dashboard.platform.accounts.items import Person
from dashboard.platform.adoption.items import FoundBusiness, OutsideOwner
from dashboard.platform.adoption.kinds import OWN_KINDS, kind_in_list, kind_label
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 50
# A search reads this many ids at a time.
SEARCHED = 500
# A partition is counted up to this many items.
MAX_COUNTED = 100
# One job adopts this many businesses at the most.
MAX_ADOPTED = 1_000


@dataclass(frozen=True)
class FoundKind:
    """The items of one kind: how many were counted, and one of them."""

    kind: str
    count: int
    # There may be more: the partition is larger than what was read.
    has_more: bool
    example: Key

    @property
    def label(self) -> str:
        return kind_label(self.kind)


@dataclass(frozen=True)
class Discovery:
    """Whether the business of an item exists, and what is recorded about it if it does not."""

    exists: bool = True
    found: FoundBusiness | None = None


@dataclass(frozen=True)
class OwnerState:
    """What is known about the owner that a business names."""

    person: Person | None = None
    owner: OutsideOwner | None = None
    found: FoundBusiness | None = None


@access_pattern("Which ids appear in the table and are not a business?", keys.FOUND, partition=True)
def found_businesses(start_key: Any = None, limit: int = PAGE) -> read.Page[FoundBusiness]:
    return read.page(keys.FOUND.collection(), FoundBusiness, limit=limit, start_key=start_key, consistent=True)


def search_found(text: str, start_key: Any = None) -> read.Page[FoundBusiness]:
    """The ids and names that contain a text, among those that one query reads."""
    wanted, page = folded(text), found_businesses(start_key, SEARCHED)
    matching = [each for each in page.items if wanted in folded(f"{each.id} {each.name or ''}")]
    return read.Page(matching, page.next_start_key)


def all_found() -> list[FoundBusiness]:
    """The ids that one job adopts."""
    found: list[FoundBusiness] = []
    start_key = None
    while len(found) < MAX_ADOPTED:
        page = found_businesses(start_key, SEARCHED)
        found, start_key = found + page.items, page.next_start_key
        if start_key is None:
            break
    return found[:MAX_ADOPTED]


@access_pattern("What was recorded about this id?", keys.FOUND)
def find_found(business: str) -> FoundBusiness | None:
    try:
        return read.get(FoundBusiness, keys.FOUND.key(found=business))
    except BadKey:
        return None


@access_pattern("Which items are in a partition of this id?", keys.AUDIT, partition=True)
def _keys_in(collection: Any) -> read.Page[Raw]:
    return read.raw_page(collection, limit=MAX_COUNTED, attributes=("PK", "SK", "name"))


def contents_reads(business: str) -> list[Any]:
    """The reads that count the items of an id, to run with others in one round trip."""
    return [partial(_keys_in, collection) for collection in keys.business_partitions(business)]


def to_kinds(pages: list[read.Page[Raw]], found: FoundBusiness | None) -> list[FoundKind]:
    """The kinds in these partitions, and those that were recorded in others, by name."""
    kinds: dict[str, FoundKind] = {}
    for page in pages:
        items = [Key(raw["PK"]["S"], raw["SK"]["S"]) for raw in page.items]
        counts, has_more = Counter(map(kind_in_list, items)), page.next_start_key is not None
        for key in reversed(items):
            kind = kind_in_list(key)
            kinds[kind] = FoundKind(kind, counts[kind], has_more, key)
    for kind, key in (found.examples if found else {}).items():
        kinds.setdefault(kind, FoundKind(kind, 1, True, key))
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


@access_pattern("Is this id a business, and what is recorded about it?", keys.TENANT, keys.FOUND)
def find_discovery(business: str) -> Discovery:
    current, found = read.get_many([keys.TENANT.key(tenant=business), keys.FOUND.key(found=business)])
    return Discovery(isinstance(current, Business), found if isinstance(found, FoundBusiness) else None)


@access_pattern(
    "Is the owner of this business known, and was its id recorded?", keys.PERSON, keys.OUTSIDE_OWNER, keys.FOUND
)
def find_owner_state(business: str, owner: str) -> OwnerState:
    wanted = [keys.FOUND.key(found=business)]
    if owner:
        wanted.append(keys.OUTSIDE_OWNER.key(owner=owner))
    if owner and "#" not in owner:
        wanted.append(keys.PERSON.key(email=emails.normalise(owner)))
    items = read.get_many(wanted)
    by_class: dict[type, Any] = {type(each): each for each in items if each is not None}
    return OwnerState(by_class.get(Person), by_class.get(OutsideOwner), by_class.get(FoundBusiness))
