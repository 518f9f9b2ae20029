"""One page of several collections that have the same order, such as two kinds of item by date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dashboard.table import schema
from dashboard.table.items import Item
from dashboard.table.query_params import start_after
from dashboard.table.read import Page

# The position in each collection by its name: None is its beginning. A collection that has ended is left out.
Positions = dict[str, Any]


def merge(
    pages: Mapping[str, Page[Any]],
    start: Positions,
    *,
    index: str,
    limit: int,
    newest_first: bool,
    sort_key: Callable[[Any], str] | None = None,
) -> Page[Any]:
    """The first items of all pages, in the order of the index. `start` has the positions that the pages were read from.

    `sort_key` is for an index whose sort keys begin with the name of the collection: the rest of the sort key.
    The page ends early where the next item of a collection is not read yet: no item is skipped or repeated.
    """
    order_of = sort_key or partial(_sort_key, index=index)
    taken: list[Any] = []
    counts = dict.fromkeys(pages, 0)
    while len(taken) < limit:
        left = {name: page.items[counts[name]] for name, page in pages.items() if counts[name] < len(page.items)}
        has_unread = any(name not in left and page.next_start_key is not None for name, page in pages.items())
        if not left or has_unread:
            break
        # Of equal keys, the first collection comes first.
        pick = max if newest_first else min
        name = pick(left, key=lambda each: order_of(left[each]))
        taken.append(left[name])
        counts[name] += 1
    return Page(taken, _positions_after(pages, counts, start, index) or None)


def _positions_after(pages: Mapping[str, Page[Any]], counts: dict[str, int], start: Positions, index: str) -> Positions:
    found: Positions = {}
    for name, page in pages.items():
        if counts[name] < len(page.items):
            last = page.items[counts[name] - 1] if counts[name] else None
            found[name] = start_after(last.raw, index) if last else start.get(name)
        elif page.next_start_key is not None:
            found[name] = page.next_start_key
    return found


def _sort_key(item: Item, index: str) -> str:
    name = schema.BY_NAME[index].sk
    return str(item.raw.get(name or schema.SK, {}).get("S", ""))
