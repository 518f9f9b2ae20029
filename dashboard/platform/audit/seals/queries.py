"""Queries for sealing and verifying."""

from __future__ import annotations

from dashboard.platform.audit.seals.items import Seal, Sealing, SealPart
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import Collection, Key
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern


@access_pattern("Which entries does this trail have between two days?", keys.SYSTEM_AUDIT, keys.AUDIT, partition=True)
def entries(
    collection: Collection, since: str, until: str, start_key: Raw | None = None, limit: int = 1000
) -> Page[Raw]:
    """Raw entries, because the stored attributes are hashed, not the converted ones."""
    return read.raw_page(collection, since=since, until=until, start_key=start_key, limit=limit)


@access_pattern("How far is this trail sealed?", keys.SYSTEM_SEALING, keys.SEALING, keys.SEALING_MODLOG)
def find_sealing(key: Key) -> Sealing | None:
    return read.get(Sealing, key)


@access_pattern("Which of these trails are being sealed?", keys.SEALING, keys.SEALING_MODLOG)
def sealings(record_keys: list[Key]) -> list[Item | PlainItem | None]:
    return read.get_many(record_keys)


@access_pattern(
    "Which seals does this trail have between two days?",
    keys.SYSTEM_SEAL,
    keys.SEAL,
    keys.SEAL_MODLOG,
    partition=True,
)
def seals(
    collection: Collection,
    since: str,
    until: str,
    start_key: Raw | None = None,
    newest_first: bool = False,
    limit: int = 50,
) -> Page[Seal]:
    return read.page(
        collection,
        Seal,
        since=since,
        until=until,
        start_key=start_key,
        newest_first=newest_first,
        limit=limit,
        consistent=True,
    )


@access_pattern(
    "Which entries does this part of a seal list?", keys.SYSTEM_SEAL_PART, keys.SEAL_PART, keys.SEAL_PART_MODLOG
)
def find_part(key: Key) -> SealPart | None:
    return read.get(SealPart, key)


@access_pattern(
    "Which parts were written for this day's seal?",
    keys.SYSTEM_SEAL_PART,
    keys.SEAL_PART,
    keys.SEAL_PART_MODLOG,
    partition=True,
)
def parts(collection: Collection, start_key: Raw | None = None) -> Page[SealPart]:
    return read.page(collection, SealPart, attributes=(), start_key=start_key, consistent=True)


@access_pattern("Which businesses have a trail?", keys.TENANT, partition=True)
def businesses(start_key: Raw | None = None, limit: int = 100) -> Page[Item | PlainItem]:
    return read.page(keys.TENANT.collection(), attributes=(), start_key=start_key, limit=limit, consistent=True)


@access_pattern("Does this business exist?", keys.TENANT)
def find_business(business: str) -> Item | PlainItem | None:
    return read.get_many([keys.TENANT.key(tenant=business)])[0]
