"""Reads: one item, several at once, or a page of a collection. Nothing here scans."""

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
from dashboard.table.items import Item, PlainItem, Raw, expired, revive
from dashboard.table.keypattern import Collection, Key
from dashboard.table.retries import Backoff, table_errors

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")
ItemT = TypeVar("ItemT", bound=Item)

# A page that expired items or a filter thin out asks again, but not for ever.
MAX_REQUESTS_A_PAGE = 4
COUNT_LIMIT = 100
MAX_KEYS_A_CALL = 100
# A filter that no index serves looks at so many items a request, in so many requests a page.
LOOK, LOOKS = 250, 4
# Above every character that can follow a prefix.
LAST = "\U0010ffff"
# DynamoDB's limit, in bytes.
MAX_SORT_KEY = 1024
_threads = ThreadPoolExecutor(max_workers=24, thread_name_prefix="gather")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Items, and where the next page starts (none on the last)."""

    items: list[T]
    next: Raw | None = None

    def with_rows(self, rows: Sequence[Any]) -> Page[Any]:
        """The same page with rows that a template shows in place of the items."""
        return Page(list(rows), self.next)


@dataclass(frozen=True)
class Sifted(Page[T]):
    """What a filter left of a collection; `reached` is the last key it looked at where it stopped before the end."""

    reached: Key | None = None


def get(cls: type[ItemT], key: Key, *, consistent: bool = True) -> ItemT | None:
    """One item by its key."""
    with table_errors():
        answer = table().get_item(key.pk, key.sk, consistent_read=consistent)
    raw = answer.get("Item")
    return cls.of(raw) if raw and not expired(raw) else None


def get_many(keys: Sequence[Key], *, consistent: bool = True) -> list[Item | PlainItem | None]:
    """Items by their keys, in the order asked for: one call for each hundred, which is DynamoDB's limit."""
    found: dict[Key, Raw] = {}
    wanted: list[Any] = [{"PK": key.pk, "SK": key.sk} for key in dict.fromkeys(keys)]
    for start in range(0, len(wanted), MAX_KEYS_A_CALL):
        found |= _get_batch(wanted[start : start + MAX_KEYS_A_CALL], consistent)
    raws = [found.get(key) for key in keys]
    return [revive(raw) if raw and not expired(raw) else None for raw in raws]


def _get_batch(wanted: list[Any], consistent: bool) -> dict[Key, Raw]:
    """What is there of at most a hundred keys."""
    found: dict[Key, Raw] = {}
    backoff = Backoff()
    while wanted:
        with table_errors():
            answer = table().batch_get_item(wanted, consistent_read=consistent)
        for raw in answer["Responses"].get(table().table_name, []):
            found[Key(raw["PK"]["S"], raw["SK"]["S"])] = raw
        left = answer.get("UnprocessedKeys", {}).get(table().table_name, {}).get("Keys", [])
        wanted = [{"PK": key["PK"]["S"], "SK": key["SK"]["S"]} for key in left]
        if wanted and not backoff.wait():
            raise Unavailable
    return found


@overload
def page(where: Collection, cls: type[ItemT], **options: Any) -> Page[ItemT]: ...
@overload
def page(where: Collection, cls: None = None, **options: Any) -> Page[Item | PlainItem]: ...
def page(where: Collection, cls: type[ItemT] | None = None, **options: Any) -> Page[Any]:
    """A page of a collection, as items of one class or, without it, each of its own kind."""
    raws, following = _query(where, **options)
    partial = options.get("only") is not None
    if cls is None:
        return Page([revive(raw, partial=partial) for raw in raws], following)
    return Page([cls.of(raw, partial=partial) for raw in raws], following)


def _query(
    where: Collection,
    *,
    limit: int = 50,
    start: Raw | None = None,
    starts_with: str = "",
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
    only: Iterable[str] | None = None,
    consistent: bool = False,
) -> tuple[list[Raw], Raw | None]:
    """One page of raw items. `only` names the attributes to fetch: lists never fetch what they do not show.

    One more than the page is asked for: "load more" is only offered where there is more.
    """
    raws: list[Raw] = []
    for _ in range(MAX_REQUESTS_A_PAGE):
        with table_errors():
            answer = table().query(
                where.pk,
                range_key_condition=_sort_key(where, starts_with, since, until),
                attributes_to_get=_projection(only, where.index),
                consistent_read=consistent,
                exclusive_start_key=start,
                index_name=where.index,
                limit=limit + 1 - len(raws),
                scan_index_forward=not newest_first,
            )
        raws += [raw for raw in answer["Items"] if not expired(raw)]
        start = answer.get("LastEvaluatedKey")
        if start is None or len(raws) > limit:
            break
    if len(raws) > limit:
        return raws[:limit], _place(raws[limit - 1], where.index)
    return raws, start


def filter_page(
    where: Collection,
    cls: type[ItemT],
    keep: Condition,
    *,
    limit: int = 50,
    start: Raw | None = None,
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
    looks: int = LOOKS,
    consistent: bool = False,
) -> Sifted[ItemT]:
    """A page of what a filter keeps: it reads on until the page is full, but never more than `looks` times."""
    raws: list[Raw] = []
    for _ in range(looks):
        with table_errors():
            answer = table().query(
                where.pk,
                range_key_condition=_sort_key(where, "", since, until),
                filter_condition=keep,
                consistent_read=consistent,
                exclusive_start_key=start,
                index_name=where.index,
                limit=LOOK,
                scan_index_forward=not newest_first,
            )
        raws += [raw for raw in answer["Items"] if not expired(raw)]
        start = answer.get("LastEvaluatedKey")
        if start is None or len(raws) > limit:
            break
    items = [cls.of(raw) for raw in raws[:limit]]
    if len(raws) > limit:
        return Sifted(items, _place(raws[limit - 1], where.index))
    reached = Key(start[schema.PK]["S"], start[schema.SK]["S"]) if start else None
    return Sifted(items, start, reached)


def raw_page(
    where: Collection,
    *,
    since: str | None = None,
    until: str | None = None,
    start: Raw | None = None,
    limit: int = 1000,
    newest_first: bool = False,
    only: Iterable[str] | None = None,
) -> Page[Raw]:
    """What stands in the table, as it is on the wire and whether expired or not: for what counts every item."""
    with table_errors():
        answer = table().query(
            where.pk,
            range_key_condition=_every_sort_key(where, since or "", until or ""),
            attributes_to_get=_projection(only, where.index),
            consistent_read=where.index is None,
            exclusive_start_key=start,
            index_name=where.index,
            limit=limit,
            scan_index_forward=not newest_first,
        )
    return Page(answer["Items"], answer.get("LastEvaluatedKey"))


def is_empty(since: str | None, until: str | None) -> bool:
    """Whether nothing can lie between: the calendars of some places have lost a day."""
    return since is not None and until is not None and since > until + LAST


def _place(raw: Raw, index: str | None) -> Raw:
    """Where a page that follows this item starts."""
    return {name: raw[name] for name in (schema.PK, schema.SK, *_index_keys(index))}


def _index_keys(index: str | None) -> list[str]:
    return [name for name in schema.BY_NAME[index][1:3] if name] if index else []


def count(where: Collection, starts_with: str = "") -> int:
    """How many there are, up to `COUNT_LIMIT`: counting reads every item it counts."""
    alive = Path([schema.TTL]).does_not_exist() | (Path([schema.TTL]) > int(now().timestamp()))
    found, start = 0, None
    for _ in range(MAX_REQUESTS_A_PAGE):
        with table_errors():
            answer = table().query(
                where.pk,
                range_key_condition=_sort_key(where, starts_with, None, None),
                filter_condition=alive,
                exclusive_start_key=start,
                index_name=where.index,
                limit=COUNT_LIMIT - found,
                select="COUNT",
            )
        found += int(answer["Count"])
        start = answer.get("LastEvaluatedKey")
        if start is None or found >= COUNT_LIMIT:
            break
    return found


def _sort_key(where: Collection, starts_with: str, since: str | None, until: str | None) -> Condition | None:
    name = schema.SK if where.index is None else schema.BY_NAME[where.index].sk
    if name is None:
        return None
    if since is not None or until is not None:
        return Path([name]).between(where.prefix + (since or "\x01"), where.prefix + (until or "") + LAST)
    prefix = where.prefix + starts_with
    return Path([name]).startswith(prefix) if prefix else None


def _every_sort_key(where: Collection, since: str, until: str) -> Condition | None:
    """As `_sort_key`, and whatever odd key somebody may have written lies within the bounds too."""
    if not since and not until:
        return _sort_key(where, "", None, None)
    name = schema.SK if where.index is None else schema.BY_NAME[where.index].sk
    last = where.prefix + until
    room = MAX_SORT_KEY - len(last.encode())
    return Path([name]).between(where.prefix + since, last + LAST * (room // len(LAST.encode()))) if name else None


def _projection(only: Iterable[str] | None, index: str | None) -> list[str] | None:
    """The keys and the ttl always come along: they say what an item is, where it stands, whether it still is."""
    if only is None:
        return None
    return list(dict.fromkeys([schema.PK, schema.SK, schema.TTL, *_index_keys(index), *only]))


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
def gather(*reads: Callable[[], Any]) -> tuple[Any, ...]:
    """Run two to five reads in parallel, as one round trip: `post, reasons = gather(load_post, load_reasons)`.

    Do not nest it. For a list of reads of one type use `gather_all`.
    """
    return tuple(gather_all(reads))


def gather_all(reads: Iterable[Callable[[], T]]) -> list[T]:
    """Run any number of reads of one type in parallel, as one round trip. Do not nest it."""
    each = list(reads)
    if len(each) == 1:
        return [each[0]()]
    with oplog.side_by_side(len(each)) as lines:
        futures = [_beside(line, read) for line, read in zip(lines, each, strict=True)]
        return [future.result() for future in futures]


def in_background(work: Callable[[], T]) -> Future[T]:
    """Begin something beside what follows; whoever wants its answer waits for it."""
    return _beside(oplog.aside(), work)


def _beside(line: oplog.CallSequence, work: Callable[[], T]) -> Future[T]:
    """In a thread of its own, in the language and by the clocks of whoever asks: they do not go along by themselves."""
    language, zone = translation.get_language(), timezone.get_current_timezone()

    def follow() -> T:
        with translation.override(language), timezone.override(zone):
            return line.follow(work)

    return _threads.submit(copy_context().run, follow)
