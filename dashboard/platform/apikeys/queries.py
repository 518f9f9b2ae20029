"""What the product asks about API keys."""

from __future__ import annotations

from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.accounts.items import Throttle
from dashboard.platform.apikeys.items import ApiKey
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

PAGE = 100


@access_pattern("Which API keys has this business?", keys.API_KEY, partition=True)
def keys_of(business: str, start: Any = None) -> read.Page[ApiKey]:
    """Consistent, from the table: what was issued or revoked a moment ago is there as it is."""
    where = keys.API_KEY.under(tenant=business)
    return read.page(where, ApiKey, limit=PAGE, start=start, only=ApiKey.CARD, consistent=True)


@access_pattern("Which API key is this?", keys.API_KEY)
def key(business: str, key_id: str) -> ApiKey:
    try:
        found = read.get(ApiKey, keys.API_KEY.key(tenant=business, key_id=key_id))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern("What was done to this API key, newest first?", keys.AUDIT_BY_TARGET)
def history_of(business: str, key_id: str, limit: int = 20) -> list[AuditEntry]:
    where = keys.AUDIT_BY_TARGET.under(tenant=business, target=key_id)
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("Whose API key has this hash?", keys.API_KEY_BY_HASH)
def key_with_hash(digest: str) -> ApiKey | None:
    """As the index has it: late perhaps, so that only its own key is to be trusted. One that two have is nobody's."""
    found = read.page(keys.API_KEY_BY_HASH.under(hash=digest), ApiKey, limit=1, only=("lastUsedAt",))
    return found.items[0] if found.items and not found.next else None


@access_pattern("What may this API key do, and in which business?", keys.API_KEY, keys.TENANT)
def key_and_business(business: str, key_id: str) -> tuple[ApiKey | None, Business | None]:
    """Both as they are now, in one consistent trip."""
    wanted = [keys.API_KEY.key(tenant=business, key_id=key_id), keys.TENANT.key(tenant=business)]
    found: list[Any] = list(read.get_many(wanted))
    return found[0], found[1]


@access_pattern("How often was this tried in this stretch of time?", keys.THROTTLE)
def tries_at(place: Key) -> int:
    found = read.get(Throttle, place)
    return int(found.tries) if found else 0
