"""Isolation of businesses: while a request is bound to one, reads and writes of others are refused below PynamoDB."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, schema
from dashboard.table.call_targets import CallTarget, call_targets
from dashboard.table.keypattern import IndexPattern, Pattern

logger = logging.getLogger("trastienda.tenancy")


class ForeignTenant(NotFound):
    """A programming error. The answer is 404, so that it does not reveal whether the other business exists."""


class ForeignItem(ForeignTenant):
    """An id in the request is that of an item of another business. It is an attempt of whoever sent the request."""


@dataclass(frozen=True)
class Binding:
    """The business of a request, and its person or API key."""

    # Empty for an API key of the platform.
    business: str
    email: str = ""
    api_key: str | None = None
    # The person whom this request invites to the business, or whose invitation it changes.
    invited_email: str = ""
    # Members whose accounts this request may read and check, but not write.
    readable_emails: tuple[str, ...] = ()
    # An API key of the platform: it reaches the forum, the rooms and itself.
    is_of_platform: bool = False


bound: ContextVar[Binding | None] = ContextVar("bound", default=None)

# The first words of partition keys. A business cannot have one of them as its id.
_WORDS = {pattern.pk.text.partition("#")[0] for pattern in keys.PATTERNS}
_OF_TENANT = [pattern for pattern in keys.PATTERNS if "tenant" in {*pattern.pk.fields, *pattern.sk.fields}]
_INDEXED_OF_TENANT = [
    index_pattern
    for index_pattern in keys.INDEX_PATTERNS
    if "tenant" in {*index_pattern.pk.fields, *index_pattern.sk.fields}
]
# Keys of the person themselves.
_PERSONAL = (keys.PERSON, keys.SESSION)
# Keys with a random id or a hash: the item itself names its owner.
_OPEN = (keys.OPERATION, keys.THROTTLE, keys.ASSET)
# What an API key of the platform may write, what it may write and not read, and what it may only read.
_WRITTEN_BY_PLATFORM = (keys.POST, keys.COMMENT, keys.DECISION, keys.MODERATION, keys.PLATFORM_API_KEY)
_LOGGED_BY_PLATFORM = (keys.ACTIVITY, keys.ACTIVITY_MINUTE, keys.ACTIVITY_PEOPLE, keys.ACTIVITY_HOUR)
_READ_BY_PLATFORM = (keys.CONFIG, keys.CONFIG_VERSION, keys.CONFIG_BODY, keys.ROOM, keys.ROOM_CONTENT)
_INDEXED_OF_PLATFORM = (
    *(keys.ACTIVE_POSTS, keys.POSTS_BY_STATUS, keys.POSTS_BY_LIKES, keys.POSTS_BY_COMMENTS, keys.POSTS_OF_AUTHOR),
    *(keys.COMMENTS_BY_STATUS, keys.COMMENTS_OF_POST, keys.COMMENTS_OF_AUTHOR),
)
# Configs of the platform that a request inside a business may read: the filter scores the comments on its pages.
_READABLE_CONFIGS = frozenset({"profanity"})
# Items of the platform that a request inside a business puts but cannot read.
_WRITE_ONLY = (keys.SECURITY_EVENT, keys.CDN_MARKER)


def can_be_bound(business: str) -> bool:
    """A business with the name of a partition would own that partition."""
    return business not in _WORDS


@contextmanager
def bind(binding: Binding) -> Iterator[None]:
    """Refuse reads and writes of other businesses for the length of the block."""
    if not can_be_bound(binding.business):
        raise ForeignTenant
    token = bound.set(binding)
    try:
        yield
    finally:
        bound.reset(token)


@contextmanager
def allowing_account(email: str) -> Iterator[None]:
    """Also allow the account of one person, and entries in the platform's trail, for the length of the block."""
    binding = bound.get()
    token = bound.set(replace(binding, invited_email=email) if binding else None)
    try:
        yield
    finally:
        bound.reset(token)


@contextmanager
def reading_accounts(emails: Iterable[str]) -> Iterator[None]:
    """Also allow to read and check the accounts of these members, and to note that they remain owners."""
    binding = bound.get()
    token = bound.set(replace(binding, readable_emails=tuple(emails)) if binding else None)
    try:
        yield
    finally:
        bound.reset(token)


def install(client: Any) -> None:
    events = client.meta.events
    events.register_first("provide-client-params.dynamodb.*", _check_request)
    events.register("after-call.dynamodb.*", _check_answer)


def _check_request(params: dict[str, Any], model: Any, **_: object) -> None:
    binding = bound.get()
    if binding is None:
        return
    for target in call_targets(model.name, params):
        if not _is_own(binding, target) or not _names_owner(binding, target):
            logger.error("a key of another tenant", extra={"operation": model.name, "tenant": binding.business})
            raise ForeignTenant


def _check_answer(parsed: dict[str, Any], model: Any, **_: object) -> None:
    binding = bound.get()
    if binding is None:
        return
    for raw in _items(parsed):
        if not _belongs_to(binding, raw):
            logger.error("an item of another tenant", extra={"operation": model.name, "tenant": binding.business})
            raise ForeignItem if _business_of(raw) not in (None, {"S": binding.business}) else ForeignTenant


def is_foreign(raw: dict[str, Any]) -> bool:
    """Whether the key of an item names another business than the request is bound to."""
    binding = bound.get()
    if binding is None:
        return False
    found = keys.identify(raw[schema.PK]["S"], raw[schema.SK]["S"])
    return found is not None and found[1].get("tenant", binding.business) != binding.business


# --- The owner of a target -----------------------------------------------------------------------
def _is_own(binding: Binding, target: CallTarget) -> bool:
    if binding.is_of_platform:
        return _is_of_platform(target)
    if target.index is not None:
        own_job = keys.OPERATIONS_OF.collection(email=binding.email).pk if binding.email else None
        return target.pk == own_job or any(
            _is_own_in_index(index_pattern, binding.business, target)
            for index_pattern in _INDEXED_OF_TENANT
            if index_pattern.index == target.index
        )
    if any(pattern.pk.read(target.pk) is not None for pattern in _OPEN):
        return True
    if target.body is not None and "Item" in target.body and _is_write_only(target):
        return True
    if any((pattern.pk.read(target.pk) or {}).get("email") == binding.email for pattern in _PERSONAL):
        return True
    if (
        target.is_read
        and target.exact
        and (keys.CONFIG.read(target.pk, target.sk) or {}).get("name") in _READABLE_CONFIGS
    ):
        return True
    if binding.invited_email and _is_of_invitation(binding.invited_email, target):
        return True
    if target.is_read and (keys.PERSON.read(target.pk, target.sk) or {}).get("email") in binding.readable_emails:
        return True
    if (keys.REMAINING_OWNER.read(target.pk, target.sk) or {}).get("email") in binding.readable_emails:
        return True
    return any(_is_own_item(pattern, binding.business, target) for pattern in _OF_TENANT)


def _is_readable_config(target: CallTarget) -> bool:
    return target.exact and (keys.CONFIG.read(target.pk, target.sk) or {}).get("name") in _READABLE_CONFIGS


def _is_of_platform(target: CallTarget) -> bool:
    if target.index is not None:
        return any(each.index == target.index and each.pk.read(target.pk) is not None for each in _INDEXED_OF_PLATFORM)
    if any(each.pk.read(target.pk) is not None for each in (keys.OPERATION, keys.THROTTLE)):
        return True
    is_write = target.body is not None and not target.is_read
    further = _LOGGED_BY_PLATFORM if is_write else _READ_BY_PLATFORM
    allowed = (*_WRITTEN_BY_PLATFORM, *further)
    if target.exact:
        return any(each.read(target.pk, target.sk) is not None for each in allowed)
    # A range of sort keys, such as all comments of a post. That of the keys themselves is for people.
    return any(each.pk.read(target.pk) is not None for each in allowed if each is not keys.PLATFORM_API_KEY)


def _is_of_invitation(email: str, target: CallTarget) -> bool:
    """The account of the invited person, without their sessions, or a new entry in the platform's trail."""
    if target.exact and keys.PERSON.read(target.pk, target.sk) == {"email": email}:
        return True
    is_put = target.body is not None and "Item" in target.body
    return is_put and keys.SYSTEM_AUDIT.read(target.pk, target.sk) is not None


def _is_write_only(target: CallTarget) -> bool:
    return any(pattern.read(target.pk, target.sk) is not None for pattern in _WRITE_ONLY)


def _names_owner(binding: Binding, target: CallTarget) -> bool:
    """A write at an open key must name its owner, in the item that it puts or in its condition."""
    if target.body is None or keys.THROTTLE.pk.read(target.pk) is not None:
        return True
    if "Item" in target.body:
        return _belongs_to(binding, target.body["Item"])
    if not any(pattern.pk.read(target.pk) is not None for pattern in _OPEN):
        return True
    names = target.body.get("ExpressionAttributeNames", {}).values()
    values = list(target.body.get("ExpressionAttributeValues", {}).values())
    by_person = "by" in names and {"S": binding.email} in values
    return by_person or ({"businessId", "tenantId"} & set(names) != set() and {"S": binding.business} in values)


def _is_own_item(pattern: Pattern, business: str, target: CallTarget) -> bool:
    parts = pattern.pk.read(target.pk)
    if parts is None:
        return False
    if "tenant" in parts:
        return parts["tenant"] == business
    # The business is part of the sort key: one item may be read, never a range.
    return target.exact and (pattern.sk.read(target.sk) or {}).get("tenant") == business


def _is_own_in_index(index_pattern: IndexPattern, business: str, target: CallTarget) -> bool:
    parts = index_pattern.pk.read(target.pk)
    if parts is None:
        return False
    if "tenant" in parts:
        return parts["tenant"] == business
    # Partitions of all businesses, as outside writers define them: the sort key begins with the business.
    prefix = index_pattern.sk.prefix({"tenant": business})
    return bool(prefix) and target.sk.startswith(prefix)


def _items(parsed: dict[str, Any]) -> Iterable[dict[str, Any]]:
    if "Item" in parsed:
        yield parsed["Item"]
    yield from parsed.get("Items", ())
    for raws in (parsed.get("Responses") or {}).values() if isinstance(parsed.get("Responses"), dict) else ():
        yield from raws
    yield from (each["Item"] for each in parsed.get("CancellationReasons", ()) if each.get("Item"))


def _business_of(raw: dict[str, Any]) -> dict[str, str] | None:
    """The business that an item names, as DynamoDB returns it."""
    return raw.get("businessId") or raw.get("tenantId")


def _belongs_to(binding: Binding, raw: dict[str, Any]) -> bool:
    """An item at an open key belongs to the owner that it names."""
    pk = raw.get(schema.PK, {}).get("S", "")
    business = _business_of(raw)
    if keys.ASSET.pk.read(pk) is not None:
        return business == {"S": binding.business}
    if keys.OPERATION.pk.read(pk) is not None:
        return business in (None, {"S": binding.business}) and raw.get("by") in (None, {"S": binding.email})
    return True
