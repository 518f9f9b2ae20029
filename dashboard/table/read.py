"""Reads: one item, several items, or a page of a collection. No function scans the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.table import query_params, schema
from dashboard.table.connection import table
from dashboard.table.items import Item, PlainItem, Raw, is_expired, key_of, to_item
from dashboard.table.keypattern import Collection, Key
from dashboard.table.parallel import gather, gather_all, in_background
from dashboard.table.query_params import is_empty_range
from dashboard.table.retries import Backoff, table_errors
from dashboard.table.tenancy import is_foreign

# Part of this interface, from modules of their own.
__all__ = ["gather", "gather_all", "in_background", "is_empty_range"]

T = TypeVar("T")
ItemT = TypeVar("ItemT", bound=Item)

# If expired items leave a page too short, the query continues, up to this many requests.
MAX_REQUESTS_PER_PAGE = 4
COUNT_LIMIT = 100
MAX_KEYS_PER_CALL = 100
# A filter reads this many items per request, and makes at most this many requests per page.
FILTER_REQUEST_SIZE, MAX_FILTER_REQUESTS = 250, 4


@dataclass(frozen=True)
class Page(Generic[T]):
    """Items, and the position where the next page starts (None on the last page)."""

    items: list[T]
    next_start_key: Raw | None = None

    def with_rows(self, rows: Sequence[Any]) -> Page[Any]:
        """The same page with rows that a template shows in place of the items."""
        return Page(list(rows), self.next_start_key)


@dataclass(frozen=True)
class FilteredPage(Page[T]):
    """A page of filtered items. `last_key_read` is set only if the limit of requests stopped the filter."""

    last_key_read: Key | None = None


def get(cls: type[ItemT], key: Key, *, consistent: bool = True) -> ItemT | None:
    """One item by its key."""
    with table_errors():
        answer = table(cls.table_of(key)).get_item(key.pk, key.sk, consistent_read=consistent)
    raw = answer.get("Item")
    return cls.of(raw) if raw and not is_expired(raw) else None


def raw_item(key: Key, *, table_name: str = "") -> Raw | None:
    """One item as DynamoDB returns it, also an expired one; read consistently."""
    with table_errors():
        found: Raw | None = table(table_name).get_item(key.pk, key.sk, consistent_read=True).get("Item")
    return found


def get_many(
    keys: Sequence[Key], *, consistent: bool = True, attributes: Iterable[str] | None = None
) -> list[Item | PlainItem | None]:
    """Items by their keys, in the order of the keys. One call reads up to 100 items, the limit of DynamoDB.

    `attributes` names the attributes to read.
    """
    raws = raw_items(keys, consistent=consistent, attributes=attributes)
    partial = attributes is not None
    return [to_item(raw, partial=partial) if raw and not is_expired(raw) else None for raw in raws]


def raw_items(
    keys: Sequence[Key], *, consistent: bool = True, attributes: Iterable[str] | None = None
) -> list[Raw | None]:
    """Items as DynamoDB returns them, also expired ones, in the order of the keys."""
    projection = query_params.projection(attributes, None)
    found: dict[Key, Raw] = {}
    unique: list[Any] = [{"PK": key.pk, "SK": key.sk} for key in dict.fromkeys(keys)]
    for offset in range(0, len(unique), MAX_KEYS_PER_CALL):
        found |= _get_batch(unique[offset : offset + MAX_KEYS_PER_CALL], consistent, projection)
    return [found.get(key) for key in keys]


def _get_batch(keys: list[Any], consistent: bool, projection: Any = None) -> dict[Key, Raw]:
    """The items that exist at up to 100 keys."""
    found: dict[Key, Raw] = {}
    backoff = Backoff()
    while keys:
        with table_errors():
            answer = table().batch_get_item(keys, consistent_read=consistent, attributes_to_get=projection)
        for raw in answer["Responses"].get(table().table_name, []):
            found[key_of(raw)] = raw
        unprocessed = answer.get("UnprocessedKeys", {}).get(table().table_name, {}).get("Keys", [])
        keys = [{"PK": key["PK"]["S"], "SK": key["SK"]["S"]} for key in unprocessed]
        if keys and not backoff.wait():
            raise Unavailable
    return found


@overload
def page(collection: Collection, cls: type[ItemT], **options: Any) -> Page[ItemT]: ...
@overload
def page(collection: Collection, cls: None = None, **options: Any) -> Page[Item | PlainItem]: ...
def page(collection: Collection, cls: type[ItemT] | None = None, **options: Any) -> Page[Any]:
    """A page of a collection. Without `cls`, each item has the class of its kind."""
    raws, next_start_key = _query(collection, **options)
    partial = options.get("attributes") is not None
    if cls is None:
        return Page([to_item(raw, partial=partial) for raw in raws], next_start_key)
    return Page(_items(raws, cls, partial=partial), next_start_key)


def every_item(collection: Collection, cls: type[ItemT], **options: Any) -> list[ItemT]:
    """All items of a collection, page by page: only where a rule must not miss one, and there are not many."""
    found: list[ItemT] = []
    start_key = None
    while True:
        following = page(collection, cls, start_key=start_key, **options)
        found += following.items
        start_key = following.next_start_key
        if start_key is None:
            return found


def _items(raws: Iterable[Raw], cls: type[ItemT], *, partial: bool = False) -> list[ItemT]:
    items = [cls.of(raw, partial=partial) for raw in raws]
    return [item for item in items if item.key_parts] if cls.needs_key_parts else items


def _is_readable(raw: Raw, index: str | None) -> bool:
    """Not expired, and not an item of another business that an outside writer put into an index of this one."""
    return not is_expired(raw) and (index is None or not is_foreign(raw))


def _query(
    collection: Collection,
    *,
    limit: int = 50,
    start_key: Raw | None = None,
    starts_with: str = "",
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
    attributes: Iterable[str | tuple[str, ...]] | None = None,
    consistent: bool = False,
) -> tuple[list[Raw], Raw | None]:
    """One page of raw items. `attributes` names the attributes to read.

    The query reads one item more than the page: "Load more" is shown only if there is another page.
    """
    raws: list[Raw] = []
    for _ in range(MAX_REQUESTS_PER_PAGE):
        with table_errors():
            answer = table(collection.table).query(
                collection.pk,
                range_key_condition=query_params.sort_key_condition(collection, starts_with, since, until),
                attributes_to_get=query_params.projection(attributes, collection.index),
                consistent_read=consistent,
                exclusive_start_key=start_key,
                index_name=collection.index,
                limit=limit + 1 - len(raws),
                scan_index_forward=not newest_first,
            )
        raws += [raw for raw in answer["Items"] if _is_readable(raw, collection.index)]
        start_key = answer.get("LastEvaluatedKey")
        if start_key is None or len(raws) > limit:
            break
    if len(raws) > limit:
        return raws[:limit], query_params.start_after(raws[limit - 1], collection.index)
    return raws, start_key


def filter_page(
    collection: Collection,
    cls: type[ItemT],
    keep: Condition,
    *,
    limit: int = 50,
    start_key: Raw | None = None,
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
    max_requests: int = MAX_FILTER_REQUESTS,
    consistent: bool = False,
) -> FilteredPage[ItemT]:
    """A page of the items that meet the condition. It reads until the page is full, at most `max_requests` times."""
    raws: list[Raw] = []
    for _ in range(max_requests):
        with table_errors():
            answer = table(collection.table).query(
                collection.pk,
                range_key_condition=query_params.sort_key_condition(collection, "", since, until),
                filter_condition=keep,
                consistent_read=consistent,
                exclusive_start_key=start_key,
                index_name=collection.index,
                limit=FILTER_REQUEST_SIZE,
                scan_index_forward=not newest_first,
            )
        raws += [raw for raw in answer["Items"] if _is_readable(raw, collection.index)]
        start_key = answer.get("LastEvaluatedKey")
        if start_key is None or len(raws) > limit:
            break
    items = _items(raws[:limit], cls)
    if len(raws) > limit:
        return FilteredPage(items, query_params.start_after(raws[limit - 1], collection.index))
    last_key_read = Key(start_key[schema.PK]["S"], start_key[schema.SK]["S"]) if start_key else None
    return FilteredPage(items, start_key, last_key_read)


def raw_page(
    collection: Collection,
    *,
    since: str | None = None,
    until: str | None = None,
    start_key: Raw | None = None,
    limit: int = 1000,
    newest_first: bool = False,
    attributes: Iterable[str] | None = None,
    consistent: bool = True,
) -> Page[Raw]:
    """A page of items as DynamoDB returns them, including expired ones: for code that needs every item."""
    with table_errors():
        answer = table(collection.table).query(
            collection.pk,
            range_key_condition=query_params.unrestricted_sort_key_condition(collection, since or "", until or ""),
            attributes_to_get=query_params.projection(attributes, collection.index),
            consistent_read=consistent and collection.index is None,
            exclusive_start_key=start_key,
            index_name=collection.index,
            limit=limit,
            scan_index_forward=not newest_first,
        )
    return Page(answer["Items"], answer.get("LastEvaluatedKey"))


def neighbour_keys(key: Key, *, before: bool, limit: int) -> list[Key]:
    """The keys of the next items of the partition before or after this key, the nearest first."""
    sort_key: Path = Path([schema.SK])
    with table_errors():
        answer = table().query(
            key.pk,
            range_key_condition=sort_key < key.sk if before else sort_key > key.sk,
            attributes_to_get=[schema.PK, schema.SK],
            limit=limit,
            scan_index_forward=not before,
        )
    return [key_of(raw) for raw in answer["Items"]]


def count(collection: Collection, starts_with: str = "") -> int:
    """Count at most COUNT_LIMIT items, because counting reads each one."""
    is_not_expired = Path([schema.TTL]).does_not_exist() | (Path([schema.TTL]) > int(now().timestamp()))
    found, start = 0, None
    for _ in range(MAX_REQUESTS_PER_PAGE):
        with table_errors():
            answer = table(collection.table).query(
                collection.pk,
                range_key_condition=query_params.sort_key_condition(collection, starts_with, None, None),
                filter_condition=is_not_expired,
                exclusive_start_key=start,
                index_name=collection.index,
                limit=COUNT_LIMIT - found,
                select="COUNT",
            )
        found += int(answer["Count"])
        start = answer.get("LastEvaluatedKey")
        if start is None or found >= COUNT_LIMIT:
            break
    return found
