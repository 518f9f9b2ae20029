"""Queries for API keys."""

from __future__ import annotations

from typing import Any, cast

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Throttle
from dashboard.platform.apikeys.fields import KEY_FIELDS
from dashboard.platform.apikeys.items import ApiKey, key_at, keys_at
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 100
# The attributes that lists show; never the hash.
IN_LISTS = KEY_FIELDS.list_attributes("scopes", "apiKeyPublic", "status", "createdAt", "lastUsedAt", "updatedAt")


@access_pattern(
    "Which API keys does this business have, or the platform?", keys.API_KEY, keys.PLATFORM_API_KEY, partition=True
)
def keys_of(business: str, start_key: Any = None) -> read.Page[ApiKey]:
    """A consistent read, so that a key that was just created or revoked is shown correctly."""
    return read.page(keys_at(business), ApiKey, limit=PAGE, start_key=start_key, attributes=IN_LISTS, consistent=True)


@access_pattern("Does this business have an API key?", keys.API_KEY, partition=True)
def has_keys(business: str) -> bool:
    return bool(read.page(keys.API_KEY.collection(tenant=business), ApiKey, limit=1, attributes=()).items)


@access_pattern("Which API key is this?", keys.API_KEY, keys.PLATFORM_API_KEY)
def load_key(business: str, key_id: str) -> ApiKey:
    try:
        found = read.get(ApiKey, key_at(business, key_id))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern("What is the history of this API key, newest first?", keys.AUDIT_BY_TARGET, keys.SYSTEM_AUDIT_BY_TARGET)
def history_of(business: str, key_id: str, limit: int = 20) -> list[AuditEntry]:
    if business:
        collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=key_id)
    else:
        collection = keys.SYSTEM_AUDIT_BY_TARGET.collection(target=key_id)
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("Which API key has this hash?", keys.API_KEY_BY_HASH)
def find_key_by_hash(digest: str) -> ApiKey | None:
    """From the index, which may lag: trust only the item's own key. A hash that two keys have gives None."""
    page = read.page(keys.API_KEY_BY_HASH.collection(hash=digest), ApiKey, limit=1, attributes=("lastUsedAt",))
    return page.items[0] if page.items and not page.next_start_key else None


@access_pattern("What may this API key do, and in which business?", keys.API_KEY, keys.PLATFORM_API_KEY, keys.TENANT)
def find_key_and_business(business: str, key_id: str) -> tuple[ApiKey | None, Business | None]:
    """Both in one consistent read. A key of the platform has no business."""
    if not business:
        return read.get(ApiKey, key_at(business, key_id)), None
    keys_to_read = [key_at(business, key_id), keys.TENANT.key(tenant=business)]
    key, current = cast(tuple[ApiKey | None, Business | None], read.get_many(keys_to_read))
    return key, current


@access_pattern("How often was this attempted in this window of time?", keys.THROTTLE)
def tries_at(counter: Key) -> int:
    found = read.get(Throttle, counter)
    return int(found.tries or 0) if found else 0
