"""Isolation of businesses: while a request is bound to one, reads and writes of others are refused below PynamoDB."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, schema
from dashboard.table.keypattern import IndexPattern, Pattern

logger = logging.getLogger("trastienda.tenancy")


class ForeignTenant(NotFound):
    """A programming error. The answer is 404, so that it does not reveal whether the other business exists."""


@dataclass(frozen=True)
class Binding:
    """The business of a request, and its person or API key."""

    business: str
    email: str = ""
    api_key: str | None = None
    # The person whom this request invites to the business, or whose invitation it changes.
    invited_email: str = ""


@dataclass(frozen=True)
class CallTarget:
    """What a call reads or writes: an item, or a partition of the table or an index."""

    index: str | None
    pk: str
    # The sort key, or its prefix if `exact` is false.
    sk: str = ""
    exact: bool = True
    # The parameters of a write.
    body: dict[str, Any] | None = None


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
# Logs of the platform: a request inside a business adds to them but cannot read them.
_WRITE_ONLY = (keys.SECURITY_EVENT,)


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


def install(client: Any) -> None:
    events = client.meta.events
    events.register_first("provide-client-params.dynamodb.*", _check_request)
    events.register("after-call.dynamodb.*", _check_answer)


def _check_request(params: dict[str, Any], model: Any, **_: object) -> None:
    binding = bound.get()
    if binding is None:
        return
    for target in _targets(model.name, params):
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
            raise ForeignTenant


# --- The targets of a call -----------------------------------------------------------------------
def _targets(operation: str, params: dict[str, Any]) -> Iterator[CallTarget]:
    """Every key that a call names. An unknown call has a target that is refused."""
    if operation == "Query":
        yield _query_target(params)
    elif operation in {"BatchGetItem", "BatchWriteItem"}:
        for batch in params["RequestItems"].values():
            requests = batch["Keys"] if isinstance(batch, dict) else [r for each in batch for r in each.values()]
            yield from (_item_target(request) for request in requests)
    elif operation in {"TransactWriteItems", "TransactGetItems"}:
        yield from (_item_target(body) for each in params["TransactItems"] for body in each.values())
    elif operation in {"GetItem", "PutItem", "UpdateItem", "DeleteItem"}:
        yield _item_target(params)
    else:
        yield CallTarget(None, "")


def _item_target(body: dict[str, Any]) -> CallTarget:
    key = body.get("Key") or body.get("Item") or body
    writes = "Item" in body or "UpdateExpression" in body or "ConditionExpression" in body
    return CallTarget(None, key[schema.PK]["S"], key[schema.SK]["S"], body=body if writes else None)


_EQUALS = re.compile(r"([#\w]+) = (:\w+)")
_BEGINS = re.compile(r"begins_with *\(([#\w]+), (:\w+)\)")
_BETWEEN = re.compile(r"([#\w]+) BETWEEN (:\w+) AND (:\w+)")


def _query_target(params: dict[str, Any]) -> CallTarget:
    """The partition of a query, and the prefix that all its sort keys have."""
    index = params.get("IndexName")
    pk_name, sk_name = schema.BY_NAME[index][1:3] if index else (schema.PK, schema.SK)
    condition = params["KeyConditionExpression"]
    names, values = params.get("ExpressionAttributeNames", {}), params["ExpressionAttributeValues"]

    def find_all(expression: re.Pattern[str]) -> dict[str, list[str]]:
        return {
            names.get(match[1], match[1]): [values[name]["S"] for name in match.groups()[1:]]
            for match in expression.finditer(condition)
        }

    equal, begins, between = find_all(_EQUALS), find_all(_BEGINS), find_all(_BETWEEN)
    pk = equal.get(pk_name, [""])[0]
    if sk_name in equal:
        return CallTarget(index, pk, equal[sk_name][0])
    if sk_name in between:
        low, high = between[sk_name]
        shared = next((n for n, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
        return CallTarget(index, pk, low[:shared], exact=False)
    return CallTarget(index, pk, begins.get(sk_name or "", [""])[0], exact=False)


# --- The owner of a target -----------------------------------------------------------------------
def _is_own(binding: Binding, target: CallTarget) -> bool:
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
    if binding.invited_email and _is_of_invitation(binding.invited_email, target):
        return True
    return any(_is_own_item(pattern, binding.business, target) for pattern in _OF_TENANT)


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
    # Partitions of all businesses, as the seeds define them: the sort key begins with the business.
    prefix = index_pattern.sk.prefix({"tenant": business})
    return bool(prefix) and target.sk.startswith(prefix)


def _items(parsed: dict[str, Any]) -> Iterable[dict[str, Any]]:
    if "Item" in parsed:
        yield parsed["Item"]
    yield from parsed.get("Items", ())
    for raws in (parsed.get("Responses") or {}).values() if isinstance(parsed.get("Responses"), dict) else ():
        yield from raws
    yield from (each["Item"] for each in parsed.get("CancellationReasons", ()) if each.get("Item"))


def _belongs_to(binding: Binding, raw: dict[str, Any]) -> bool:
    """An item at an open key belongs to the owner that it names."""
    pk = raw.get(schema.PK, {}).get("S", "")
    business = raw.get("businessId") or raw.get("tenantId")
    if keys.ASSET.pk.read(pk) is not None:
        return business == {"S": binding.business}
    if keys.OPERATION.pk.read(pk) is not None:
        return business in (None, {"S": binding.business}) and raw.get("by") in (None, {"S": binding.email})
    return True
