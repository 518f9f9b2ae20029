"""Reads: one item, several items, or a page of a collection. No function scans the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

from django.utils import timezone, translation
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.table import oplog, schema
from dashboard.table.connection import table
from dashboard.table.items import Item, PlainItem, Raw, is_expired, to_item
from dashboard.table.keypattern import Collection, Key
from dashboard.table.retries import Backoff, table_errors
from dashboard.table.tenancy import is_foreign

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
F = TypeVar("F")
ItemT = TypeVar("ItemT", bound=Item)

# If expired items leave a page too short, the query continues, up to this many requests.
MAX_REQUESTS_PER_PAGE = 4
COUNT_LIMIT = 100
MAX_KEYS_PER_CALL = 100
# A filter reads this many items per request, and makes at most this many requests per page.
FILTER_REQUEST_SIZE, MAX_FILTER_REQUESTS = 250, 4
# Sorts after every character that can follow a prefix.
HIGHEST_CHARACTER = "\U0010ffff"
# The limit of DynamoDB.
MAX_SORT_KEY_BYTES = 1024
_threads = ThreadPoolExecutor(max_workers=24, thread_name_prefix="gather")


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
        answer = table().get_item(key.pk, key.sk, consistent_read=consistent)
    raw = answer.get("Item")
    return cls.of(raw) if raw and not is_expired(raw) else None


def raw_item(key: Key) -> Raw | None:
    """One item as DynamoDB returns it, also an expired one; read consistently."""
    with table_errors():
        found: Raw | None = table().get_item(key.pk, key.sk, consistent_read=True).get("Item")
    return found


def get_many(keys: Sequence[Key], *, consistent: bool = True) -> list[Item | PlainItem | None]:
    """Items by their keys, in the order of the keys. One call reads up to 100 items, the limit of DynamoDB."""
    found: dict[Key, Raw] = {}
    unique: list[Any] = [{"PK": key.pk, "SK": key.sk} for key in dict.fromkeys(keys)]
    for offset in range(0, len(unique), MAX_KEYS_PER_CALL):
        found |= _get_batch(unique[offset : offset + MAX_KEYS_PER_CALL], consistent)
    raws = [found.get(key) for key in keys]
    return [to_item(raw) if raw and not is_expired(raw) else None for raw in raws]


def _get_batch(keys: list[Any], consistent: bool) -> dict[Key, Raw]:
    """The items that exist at up to 100 keys."""
    found: dict[Key, Raw] = {}
    backoff = Backoff()
    while keys:
        with table_errors():
            answer = table().batch_get_item(keys, consistent_read=consistent)
        for raw in answer["Responses"].get(table().table_name, []):
            found[Key(raw["PK"]["S"], raw["SK"]["S"])] = raw
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
    items = [cls.of(raw, partial=partial) for raw in raws]
    return Page([item for item in items if item.key_parts] if cls.needs_key_parts else items, next_start_key)


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
            answer = table().query(
                collection.pk,
                range_key_condition=_sort_key(collection, starts_with, since, until),
                attributes_to_get=_projection(attributes, collection.index),
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
        return raws[:limit], _start_after(raws[limit - 1], collection.index)
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
            answer = table().query(
                collection.pk,
                range_key_condition=_sort_key(collection, "", since, until),
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
    items = [cls.of(raw) for raw in raws[:limit]]
    if len(raws) > limit:
        return FilteredPage(items, _start_after(raws[limit - 1], collection.index))
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
) -> Page[Raw]:
    """A page of items as DynamoDB returns them, including expired ones: for code that needs every item."""
    with table_errors():
        answer = table().query(
            collection.pk,
            range_key_condition=_unrestricted_sort_key(collection, since or "", until or ""),
            attributes_to_get=_projection(attributes, collection.index),
            consistent_read=collection.index is None,
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
    return [Key(raw[schema.PK]["S"], raw[schema.SK]["S"]) for raw in answer["Items"]]


def is_empty_range(since: str | None, until: str | None) -> bool:
    """Return whether no key lies between the bounds. This happens for a day that a time zone skipped."""
    return since is not None and until is not None and since > until + HIGHEST_CHARACTER


def _start_after(raw: Raw, index: str | None) -> Raw:
    """The start of a page that follows this item."""
    return {name: raw[name] for name in (schema.PK, schema.SK, *_index_keys(index))}


def _index_keys(index: str | None) -> list[str]:
    return [name for name in schema.BY_NAME[index][1:3] if name] if index else []


def count(collection: Collection, starts_with: str = "") -> int:
    """Count at most COUNT_LIMIT items, because counting reads each one."""
    is_not_expired = Path([schema.TTL]).does_not_exist() | (Path([schema.TTL]) > int(now().timestamp()))
    found, start = 0, None
    for _ in range(MAX_REQUESTS_PER_PAGE):
        with table_errors():
            answer = table().query(
                collection.pk,
                range_key_condition=_sort_key(collection, starts_with, None, None),
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


def _sort_key(collection: Collection, starts_with: str, since: str | None, until: str | None) -> Condition | None:
    name = schema.SK if collection.index is None else schema.BY_NAME[collection.index].sk
    if name is None:
        return None
    if since is not None or until is not None:
        return Path([name]).between(
            collection.prefix + (since or "\x01"), collection.prefix + (until or "") + HIGHEST_CHARACTER
        )
    prefix = collection.prefix + starts_with
    return Path([name]).startswith(prefix) if prefix else None


def _unrestricted_sort_key(collection: Collection, since: str, until: str) -> Condition | None:
    """Like `_sort_key`, but includes every possible key between the bounds, also unusual ones."""
    if not since and not until:
        return _sort_key(collection, "", None, None)
    name = schema.SK if collection.index is None else schema.BY_NAME[collection.index].sk
    last = collection.prefix + until
    bytes_left = MAX_SORT_KEY_BYTES - len(last.encode())
    padding = HIGHEST_CHARACTER * (bytes_left // len(HIGHEST_CHARACTER.encode()))
    return Path([name]).between(collection.prefix + since, last + padding) if name else None


def _projection(attributes: Iterable[str | tuple[str, ...]] | None, index: str | None) -> list[Any] | None:
    """The keys and the ttl are always read: they tell the kind of an item, its position and whether it is expired.

    A tuple is the path of an entry in a map, whose name may contain a dot.
    """
    if attributes is None:
        return None
    names = dict.fromkeys([schema.PK, schema.SK, schema.TTL, *_index_keys(index), *attributes])
    return [Path(list(name)) if isinstance(name, tuple) else name for name in names]


@overload
def gather(first: Callable[[], A], second: Callable[[], B], /) -> tuple[A, B]: ...
@overload
def gather(first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], /) -> tuple[A, B, C]: ...
@overload
def gather(
    first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], fourth: Callable[[], D], /
) -> tuple[A, B, C, D]: ...
@overload
def gather(
    first: Callable[[], A],
    second: Callable[[], B],
    third: Callable[[], C],
    fourth: Callable[[], D],
    fifth: Callable[[], E],
    /,
) -> tuple[A, B, C, D, E]: ...
@overload
def gather(
    first: Callable[[], A],
    second: Callable[[], B],
    third: Callable[[], C],
    fourth: Callable[[], D],
    fifth: Callable[[], E],
    sixth: Callable[[], F],
    /,
) -> tuple[A, B, C, D, E, F]: ...
def gather(*reads: Callable[[], Any]) -> tuple[Any, ...]:
    """Run two to six reads in parallel, as one round trip: `post, reasons = gather(load_post, load_reasons)`.

    Do not nest it. For a list of reads of one type use `gather_all`.
    """
    return tuple(gather_all(reads))


def gather_all(reads: Iterable[Callable[[], T]]) -> list[T]:
    """Run any number of reads of one type in parallel, as one round trip. Do not nest it."""
    all_reads = list(reads)
    if len(all_reads) == 1:
        return [all_reads[0]()]
    with oplog.parallel_sequences(len(all_reads)) as sequences:
        futures = [_submit(sequence, each) for sequence, each in zip(sequences, all_reads, strict=True)]
        return [future.result() for future in futures]


def in_background(work: Callable[[], T]) -> Future[T]:
    """Start `work` in another thread. The caller waits for the future when it needs the result."""
    return _submit(oplog.new_sequence(), work)


def _submit(sequence: oplog.CallSequence, work: Callable[[], T]) -> Future[T]:
    """Run `work` in another thread, with the language and the time zone of this one."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def run() -> T:
        with translation.override(language), timezone.override(zone):
            return sequence.run(work)

    return _threads.submit(copy_context().run, run)
