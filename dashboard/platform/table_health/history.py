"""Who changed an item, as far as its key tells under which target the audit trail records it."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.platform.audit import queries as audit
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import AuditFilter
from dashboard.table import keys
from dashboard.table.keypattern import BadKey, Key, Parts, Pattern

MAX_ENTRIES = 10
# The target of the audit entries of each kind of item, made of the parts of its key.
AUDIT_TARGETS = {
    "tenant": "{tenant}",
    "business": "{tenant}",
    "member": "{email}",
    "person": "{email}",
    "api key": "{key_id}",
    "theme": "theme-{version}",
    "asset link": "{asset}",
    "config": "{name}",
    "config version": "{name}",
    "room": "room:{room}",
    "room content": "room:{room}",
    "service": "service:{service}",
    "provider": "provider:{provider}",
    "availability": "provider:{provider}",
    "customer": "customer:{customer}",
    "booking": "booking:{booking}",
    "booking by id": "booking:{booking}",
}

# The item of a target, by the type of the target: its pattern, and the part of the key that the target's id is.
_ITEMS: dict[str, tuple[Pattern, str]] = {
    "person": (keys.PERSON, "email"),
    "business": (keys.TENANT, "tenant"),
    "member": (keys.MEMBER, "email"),
    "apikey": (keys.API_KEY, "key_id"),
    "asset": (keys.ASSET, "asset"),
    "config": (keys.CONFIG, "name"),
    "room": (keys.ROOM, "room"),
    "service": (keys.SERVICE, "service"),
    "provider": (keys.PROVIDER, "provider"),
    "hours": (keys.PROVIDER, "provider"),
    "customer": (keys.CUSTOMER, "customer"),
    "booking": (keys.BOOKING_REF, "booking"),
}
# For kinds whose changes are in another log than the audit trail: what returns the URL of that log for the parts of a
# key. Apps register them.
_LOG_URLS: dict[str, Callable[[Parts], str]] = {}
# Separates the partition key and the sort key in the target of a viewed item.
SEPARATOR = " / "


def register_log(kind: str) -> Callable[[Callable[[Parts], str]], Callable[[Parts], str]]:
    """Register a function that returns the URL of the log about an item of this kind, given the parts of its key."""

    def register(build_url: Callable[[Parts], str]) -> Callable[[Parts], str]:
        _LOG_URLS[kind] = build_url
        return build_url

    return register


def log_url_of(key: Key) -> str:
    """The URL of the log about an item, if it is not the audit trail; else empty."""
    found = keys.identify(*key)
    build_url = _LOG_URLS.get(found[0].kind) if found else None
    return build_url(found[1]) if found and build_url else ""


def key_of_target(kind: str, target: str, business: str) -> Key | None:
    """The key of the item that an audit entry is about; None if the target does not tell it."""
    if kind == "item":
        pk, _, sk = target.partition(SEPARATOR)
        return Key(pk, sk) if sk and "…" not in target else None
    if kind not in _ITEMS:
        return None
    pattern, part = _ITEMS[kind]
    # Where things of several kinds can have the same id, the target begins with its kind.
    parts = {"tenant": business} if business else {}
    try:
        return pattern.key(**parts | {part: target.rpartition(":")[2]})
    except BadKey:
        return None


def target_of(key: Key) -> tuple[str, str] | None:
    """The business (empty for the platform) and the target of the audit entries of an item; None if unknown."""
    found = keys.identify(*key)
    if found is None or found[0].kind not in AUDIT_TARGETS:
        return None
    pattern, parts = found
    return str(parts.get("tenant", "")), AUDIT_TARGETS[pattern.kind].format(**parts)


def changes_of(key: Key) -> list[AuditEntry]:
    """The newest audit entries about an item."""
    target = target_of(key)
    if target is None:
        return []
    return audit.trail(target[0], AuditFilter(target=target[1]), limit=MAX_ENTRIES).items
