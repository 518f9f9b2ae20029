"""The tenant of a request: while one is bound, a key of another is refused below PynamoDB, for reads and writes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, schema
from dashboard.table.keypattern import IndexPattern, Pattern

logger = logging.getLogger("trastienda.tenancy")


class ForeignTenant(NotFound):
    """A programming error that must not tell anyone that the other tenant exists."""


@dataclass(frozen=True)
class Binding:
    """Whose request this is: one business, and one person or API key within it."""

    business: str
    email: str = ""
    api_key: str | None = None


@dataclass(frozen=True)
class CallTarget:
    """One place that a call goes to: an item, or a partition of the table or an index."""

    index: str | None
    pk: str
    # The whole sort key, or what it has to begin with.
    sk: str = ""
    exact: bool = True
    # For a write: the call's own words.
    body: dict[str, Any] | None = None


bound: ContextVar[Binding | None] = ContextVar("bound", default=None)

# A partition named by one of these words can never be a tenant's own id.
_WORDS = {pattern.pk.text.partition("#")[0] for pattern in keys.PATTERNS}
_OF_TENANT = [pattern for pattern in keys.PATTERNS if "tenant" in {*pattern.pk.fields, *pattern.sk.fields}]
_INDEXED_OF_TENANT = [where for where in keys.INDEX_PATTERNS if "tenant" in {*where.pk.fields, *where.sk.fields}]
_OWN = (keys.PERSON, keys.SESSION)
# Named by chance or by a hash: what stands there says whose it is.
_OPEN = (keys.OPERATION, keys.THROTTLE, keys.ASSET)


def can_be_bound(business: str) -> bool:
    """A business called like a partition of the design would own that partition."""
    return business not in _WORDS


@contextmanager
def bind(binding: Binding) -> Iterator[None]:
    """For the length of the block nothing of another tenant can be read or written."""
    if not can_be_bound(binding.business):
        raise ForeignTenant
    token = bound.set(binding)
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
    for place in _places(model.name, params):
        if not _is_own(binding, place) or not _names_owner(binding, place):
            logger.error("a key of another tenant", extra={"operation": model.name, "tenant": binding.business})
            raise ForeignTenant


def _check_answer(parsed: dict[str, Any], model: Any, **_: object) -> None:
    binding = bound.get()
    if binding is None:
        return
    for raw in _items(parsed):
        if not _says_own(binding, raw):
            logger.error("an item of another tenant", extra={"operation": model.name, "tenant": binding.business})
            raise ForeignTenant


# --- Where a call goes ---------------------------------------------------------------------------
def _places(operation: str, params: dict[str, Any]) -> Iterator[CallTarget]:
    """Every key that a call names; a call we cannot read goes nowhere we know, and is refused."""
    if operation == "Query":
        yield _queried(params)
    elif operation in {"BatchGetItem", "BatchWriteItem"}:
        for asked in params["RequestItems"].values():
            requests = asked["Keys"] if isinstance(asked, dict) else [r for each in asked for r in each.values()]
            yield from (_at(request) for request in requests)
    elif operation in {"TransactWriteItems", "TransactGetItems"}:
        yield from (_at(body) for each in params["TransactItems"] for body in each.values())
    elif operation in {"GetItem", "PutItem", "UpdateItem", "DeleteItem"}:
        yield _at(params)
    else:
        yield CallTarget(None, "")


def _at(body: dict[str, Any]) -> CallTarget:
    key = body.get("Key") or body.get("Item") or body
    writes = "Item" in body or "UpdateExpression" in body or "ConditionExpression" in body
    return CallTarget(None, key[schema.PK]["S"], key[schema.SK]["S"], body=body if writes else None)


_EQUALS = re.compile(r"([#\w]+) = (:\w+)")
_BEGINS = re.compile(r"begins_with *\(([#\w]+), (:\w+)\)")
_BETWEEN = re.compile(r"([#\w]+) BETWEEN (:\w+) AND (:\w+)")


def _queried(params: dict[str, Any]) -> CallTarget:
    """The partition of a query, and how its sort keys are sure to begin."""
    index = params.get("IndexName")
    pk_name, sk_name = schema.BY_NAME[index][1:3] if index else (schema.PK, schema.SK)
    condition = params["KeyConditionExpression"]
    names, values = params.get("ExpressionAttributeNames", {}), params["ExpressionAttributeValues"]

    def found(expression: re.Pattern[str]) -> dict[str, list[str]]:
        return {
            names.get(match[1], match[1]): [values[name]["S"] for name in match.groups()[1:]]
            for match in expression.finditer(condition)
        }

    equal, begins, between = found(_EQUALS), found(_BEGINS), found(_BETWEEN)
    pk = equal.get(pk_name, [""])[0]
    if sk_name in equal:
        return CallTarget(index, pk, equal[sk_name][0])
    if sk_name in between:
        low, high = between[sk_name]
        shared = next((n for n, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
        return CallTarget(index, pk, low[:shared], exact=False)
    return CallTarget(index, pk, begins.get(sk_name or "", [""])[0], exact=False)


# --- Whose it is ---------------------------------------------------------------------------------
def _is_own(binding: Binding, place: CallTarget) -> bool:
    if place.index is not None:
        own_job = keys.OPERATIONS_OF.under(email=binding.email).pk if binding.email else None
        return place.pk == own_job or any(
            _indexed_own(where, binding.business, place) for where in _INDEXED_OF_TENANT if where.index == place.index
        )
    if any(pattern.pk.read(place.pk) is not None for pattern in _OPEN):
        return True
    if any((pattern.pk.read(place.pk) or {}).get("email") == binding.email for pattern in _OWN):
        return True
    return any(_stored_own(pattern, binding.business, place) for pattern in _OF_TENANT)


def _names_owner(binding: Binding, place: CallTarget) -> bool:
    """A write at an open key says whose it is: in the item that it puts, or as its condition."""
    if place.body is None or keys.THROTTLE.pk.read(place.pk) is not None:
        return True
    if "Item" in place.body:
        return _says_own(binding, place.body["Item"])
    if not any(pattern.pk.read(place.pk) is not None for pattern in _OPEN):
        return True
    names = place.body.get("ExpressionAttributeNames", {}).values()
    values = list(place.body.get("ExpressionAttributeValues", {}).values())
    by_person = "by" in names and {"S": binding.email} in values
    return by_person or ({"businessId", "tenantId"} & set(names) != set() and {"S": binding.business} in values)


def _stored_own(pattern: Pattern, business: str, place: CallTarget) -> bool:
    parts = pattern.pk.read(place.pk)
    if parts is None:
        return False
    if "tenant" in parts:
        return parts["tenant"] == business
    # The tenant stands in the sort key: only its own item, never a stretch of items.
    return place.exact and (pattern.sk.read(place.sk) or {}).get("tenant") == business


def _indexed_own(where: IndexPattern, business: str, place: CallTarget) -> bool:
    parts = where.pk.read(place.pk)
    if parts is None:
        return False
    if "tenant" in parts:
        return parts["tenant"] == business
    # Keys that the seeds made global: the tenant begins the sort key.
    head = where.sk.head({"tenant": business})
    return bool(head) and place.sk.startswith(head)


def _items(parsed: dict[str, Any]) -> Iterable[dict[str, Any]]:
    if "Item" in parsed:
        yield parsed["Item"]
    yield from parsed.get("Items", ())
    for raws in (parsed.get("Responses") or {}).values() if isinstance(parsed.get("Responses"), dict) else ():
        yield from raws
    yield from (each["Item"] for each in parsed.get("CancellationReasons", ()) if each.get("Item"))


def _says_own(binding: Binding, raw: dict[str, Any]) -> bool:
    """An item at an open key belongs to whom it names."""
    pk = raw.get(schema.PK, {}).get("S", "")
    business = raw.get("businessId") or raw.get("tenantId")
    if keys.ASSET.pk.read(pk) is not None:
        return business == {"S": binding.business}
    if keys.OPERATION.pk.read(pk) is not None:
        return business in (None, {"S": binding.business}) and raw.get("by") in (None, {"S": binding.email})
    return True
