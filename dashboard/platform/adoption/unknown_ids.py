"""Records the ids of businesses and owners that an item names and that are not known here."""

from __future__ import annotations

import time

from dashboard.core.clock import now
from dashboard.platform.adoption import queries
from dashboard.platform.adoption.items import OutsideOwner, UnknownBusiness
from dashboard.platform.adoption.kinds import MAX_BUSINESSES, MAX_KINDS, MAX_NAME, OWN_KINDS, kind_in_list
from dashboard.platform.adoption.queries import BusinessLookup, OwnerLookup
from dashboard.platform.stream.changes import Change, Write
from dashboard.table import keys, tenancy
from dashboard.table.keypattern import BadKey, Key

# Seconds for which a business counts as existing, and a kind of an unknown one as recorded.
CACHED_FOR = 5.0
MAX_CACHED = 10_000

_recorded: dict[tuple[str, str], float] = {}


def business_to_record(change: Change) -> str | None:
    """The business that the key of an item names; None for deletions and for items of our own."""
    business = keys.business_of(change.key)
    if business is None or change.new is None or change.kind in OWN_KINDS:
        return None
    # In a partition with a bare id, the first word of another pattern is no business.
    return None if business == change.key.pk and not tenancy.can_be_bound(business) else business


def load_business_lookup(change: Change) -> BusinessLookup:
    """One read, and none where the same was read a moment ago."""
    business, kind = business_to_record(change), kind_in_list(change.key)
    if business is None or _is_recorded(business, ""):
        return BusinessLookup()
    # The name can change after the kind was recorded.
    if not _name_in(change) and _is_recorded(business, kind):
        return BusinessLookup()
    try:
        lookup = queries.look_up_business(business)
    except BadKey:
        return BusinessLookup()
    if lookup.exists:
        _remember(business, "")
    elif lookup.unknown_business is not None and kind in lookup.unknown_business.examples:
        _remember(business, kind)
    return lookup


def record_unknown_business(change: Change, lookup: BusinessLookup) -> list[Write]:
    """Record the id the first time it is seen, and each new kind and name."""
    business = business_to_record(change)
    if business is None or lookup.exists:
        return []
    kind, name = kind_in_list(change.key), _name_in(change)
    unknown = lookup.unknown_business
    # Somebody may adopt it after it was looked up.
    is_unknown = Write.if_absent(keys.TENANT.key(tenant=business))
    if unknown is None:
        unknown = UnknownBusiness.new(business_id=business)
        unknown.name, unknown.kinds = name or None, {kind: _to_map(change.key)}
        unknown.created_at = unknown.first_seen_at = unknown.last_seen_at = now()
        return [is_unknown, Write.of_new(unknown)]
    known = dict(unknown.kinds or {})
    is_new = kind not in known and len(known) < MAX_KINDS
    if not is_new and (not name or name == unknown.name):
        return []
    if is_new:
        unknown.kinds = known | {kind: _to_map(change.key)}
    unknown.name, unknown.last_seen_at = name or unknown.name, now()
    return [is_unknown, Write.of_changed(unknown, computed_from=["kinds", "name"])]


def load_owner_lookup(change: Change) -> OwnerLookup:
    business, owner = keys.business_of(change.key), _owner_in(change)
    try:
        return queries.look_up_owner(business or "", owner)
    except BadKey:
        return OwnerLookup()


def record_outside_owner(change: Change, lookup: OwnerLookup) -> list[Write]:
    """Record the owner of a business if it is no person here. The business itself is no longer unknown."""
    business, owner_id = keys.business_of(change.key), _owner_in(change)
    unknown = lookup.unknown_business
    writes = [Write(unknown.key, expected={"kinds": unknown.raw.get("kinds")}, deletes=True)] if unknown else []
    if business is None or not owner_id or lookup.person is not None:
        return writes
    owner = lookup.owner
    if owner is None:
        try:
            owner = OutsideOwner.new(owner=owner_id)
        except BadKey:
            return writes
        owner.businesses = [business]
        owner.created_at = owner.first_seen_at = now()
        return [*writes, Write.of_new(owner)]
    if business in owner.business_ids or len(owner.business_ids) >= MAX_BUSINESSES:
        return writes
    owner.businesses = [*owner.business_ids, business]
    return [*writes, Write.of_changed(owner, computed_from=["businesses"])]


def _owner_in(change: Change) -> str:
    return str((change.new or {}).get("ownerUserId", {}).get("S", "")).strip()


def _name_in(change: Change) -> str:
    """The name of the business in an item about it."""
    name = "name" if change.kind in {"business", "franchise"} else "tenantName"
    text = (change.new or {}).get(name, {}).get("S", "")
    return " ".join(str(text).split())[:MAX_NAME]


def _to_map(key: Key) -> dict[str, str]:
    return {"pk": key.pk, "sk": key.sk}


def _is_recorded(business: str, kind: str) -> bool:
    return _recorded.get((business, kind), 0) > time.monotonic()


def _remember(business: str, kind: str) -> None:
    if len(_recorded) >= MAX_CACHED:
        _recorded.clear()
    _recorded[business, kind] = time.monotonic() + CACHED_FOR


def forget_recorded() -> None:
    """Read everything again, as a new process does."""
    _recorded.clear()
